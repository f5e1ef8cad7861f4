import { quietNote } from "@/lib/domain/learned-week/quiet-text";
import { judge, momentOf } from "@/lib/domain/judge";
import type { Trouble } from "@/lib/domain/incidents/incident";
import type { ShownLine } from "@/lib/domain/today/shown";
import { instantMs } from "@/lib/domain/time/instant";
import { VERDICT_LABEL, frozenWord } from "@/lib/domain/words/labels";
import { moment } from "@/lib/domain/words/format";
import { figureOf, pressingText, type ProblemRow } from "./problem";
import { FACT_U } from "./more-line";
import type { When } from "./scene";
import { textWidthEm } from "./layout/text-width";
import type { WallCompany } from "./trust";
import { companiesText, factWords, fleetWords, problemFigures } from "./words";
import type { Fleet } from "@/lib/client/wall/fleet";

/** A line of trouble on a wall of several companies. */
export type FleetRow = {
  key: string;
  word: Trouble;
  partner: string;
  /** A company's name, or the number of companies. */
  whose: string;
  /** It covers a partner's incidents at several companies. */
  isGroup: boolean;
  /** "Failing", or "was failing at 14:02". */
  verdict: string;
  /** A feed by name, or a number of feeds; null: left out. */
  feeds: { text: string; isName: boolean } | null;
  /** Further facts, in order. */
  facts: readonly { text: string; strong: string }[];
  /** Null: unknown. */
  who: { text: string; isNoOne: boolean } | null;
  figure: ProblemRow["figure"];
  isFrozen: boolean;
};

/** Gaps and sizes, u; `public/wall.css` has the same. */
const SHAPE_U = 7.6;
const FIGURE_U = 5.4;
const FIGURE_SPACE_U = 4;
const FACT_GAP_U = 1.9;
/** A feed's name may be cut to this much. */
const MIN_FEED_U = 12;

/** Width of a line of facts that may stay empty where the next one begins. */
const WRAPPED_U = 15;

/**
 * @param given.companies of the wall, to judge the line's worst feed
 * @param given.widthU of the column of rows
 * @param given.factLines number of lines that facts may take
 */
export function fleetRow(
  line: ShownLine,
  fleet: Fleet,
  {
    companies,
    when,
    widthU,
    factLines,
  }: { companies: readonly WallCompany[]; when: When; widthU: number; factLines: number },
): FleetRow {
  const { kind, partner_name: partner, verdict: word, members } = line;
  const [worst] = members;
  const view = companies.find(({ slug }) => slug === worst?.company.slug)?.view ?? null;
  const found = view?.rows.find(({ id }) => id === worst?.endpoint_id);
  const at = view === null ? { atMs: when.nowMs, isFrozen: true } : momentOf(view, when.nowMs);
  const judgement = found === undefined ? null : judge(found, at);
  const isStuck = judgement?.overlays.stuck ?? false;
  const figure = judgement === null || fleet.isFrozen ? problemFigures.frozen : figureOf(judgement);
  const note = judgement === null || fleet.isFrozen ? "" : quietNote(judgement, when.timeZone);
  const quiet = note === "" ? [] : [{ text: note, strong: "" }];
  const zone = when.timeZone;
  const nextMs = instantMs(line.next_sync_at);
  const promise = fleet.isFrozen ? null : pressingText(line.promise?.promise, at.atMs, zone);
  const promised = promise === null ? [] : [{ text: fleetWords.promised, strong: promise }];
  const isAhead = nextMs !== null && nextMs > at.atMs && !fleet.isFrozen;
  const sinceMs = instantMs(line.since);
  const since =
    sinceMs === null ? [] : [{ text: fleetWords.since(sinceText(sinceMs, when)), strong: "" }];
  const stuck = isStuck && !isAhead ? [{ text: factWords.stuck, strong: "" }] : [];
  const next = isAhead ? [{ text: fleetWords.next, strong: moment(nextMs, at.atMs, zone) }] : [];
  return fitted(
    {
      key: line.key,
      word,
      partner,
      whose: line.companies > 1 ? companiesText(line.companies) : (worst?.company.name ?? ""),
      isGroup: kind === "partner",
      verdict: fleet.isFrozen
        ? frozenWord(word, instantMs(view?.as_of ?? null) ?? when.nowMs, when.nowMs, zone)
        : VERDICT_LABEL[word],
      feeds:
        line.feeds === 1
          ? { text: worst?.endpoint_key ?? "", isName: true }
          : { text: fleetWords.feeds(line.feeds), isName: false },
      facts: [...promised, ...stuck, ...quiet, ...since, ...next],
      who: whoOf(line, fleet),
      figure,
      isFrozen: fleet.isFrozen,
    },
    widthU,
    factLines,
  );
}

/** "02:50", "Mon 15:29"; further back the day is enough: "19 Nov". */
function sinceText(sinceMs: number, { nowMs, timeZone }: When): string {
  return moment(sinceMs, nowMs, timeZone).replace(/^\S+ (.+), \S+$/, "$1");
}

/**
 * @returns null while this screen doesn't know the incidents of one of its companies, or whether one was acknowledged
 *   since
 */
function whoOf(
  { members, on_it: onIt, attended, acknowledged }: ShownLine,
  { unanswered, isFrozen }: Fleet,
): FleetRow["who"] {
  if (members.some(({ company }) => unanswered.has(company.slug))) return null;
  if (acknowledged === 0) return isFrozen ? null : { text: fleetWords.noOne, isNoOne: true };
  const by = attended.by.filter((name) => name !== "");
  const isOnAll = acknowledged === attended.of;
  if (onIt !== null || isOnAll) return { text: fleetWords.onAll(by), isNoOne: false };
  return { text: fleetWords.onSome(acknowledged, attended.of), isNoOne: false };
}

/**
 * Cuts a long name of the feed, and where the line is too narrow for that leaves out "since", and then the feed: the
 * next attempt and who is on it always stay.
 */
function fitted(row: FleetRow, widthU: number, factLines: number): FleetRow {
  const textU = textWidthEm(row.figure.text) * (row.isFrozen ? 3.6 : FIGURE_U);
  const captionU = textWidthEm(row.figure.caption) * FACT_U;
  // Beside several lines of facts, the caption is behind the figure.
  const figureU = factLines > 1 ? textU + captionU : Math.max(textU, captionU);
  const lineU = widthU - SHAPE_U - FIGURE_SPACE_U - figureU;
  const roomU = lineU * factLines - WRAPPED_U * (factLines - 1);
  const gone = row.facts.findLastIndex(({ strong }) => strong === "");
  const shorter = { ...row, facts: row.facts.filter((_, at) => at !== gone) };
  const fits = (one: FleetRow, feedU: number) => neededU(one, feedU) <= roomU;
  if (fits(row, MIN_FEED_U)) return row;
  if (fits(shorter, MIN_FEED_U)) return shorter;
  const withoutFeed = { ...row, feeds: null };
  return fits(withoutFeed, MIN_FEED_U) ? withoutFeed : { ...shorter, feeds: null };
}

/** @param longestFeedU longest width of a feed's name; it's cut beyond that */
function neededU({ verdict, feeds, facts, who }: FleetRow, longestFeedU: number): number {
  const factU = (text: string) => textWidthEm(text) * FACT_U + FACT_GAP_U;
  const feedU =
    feeds === null
      ? 0
      : feeds.isName
        ? Math.min(longestFeedU, textWidthEm(feeds.text, "mono") * FACT_U) + FACT_GAP_U
        : factU(feeds.text);
  const factsU = facts.reduce((sum, { text, strong }) => sum + factU(`${text} ${strong}`), 0);
  return textWidthEm(verdict) * FACT_U + feedU + factsU + (who === null ? 0 : factU(who.text));
}
