import type { Confidence, Verdict } from "@/lib/domain/sync";
import { counted, duration, moment } from "./format";
import { dayMonthYear } from "./dates";
import { incidentHeadline, type HeadlineIncident } from "./incident-headline";
import { partnerHeadline, worstFirst, type HeadlineEndpoint } from "./partner-headline";
import { UNSEEN_AFTER } from "./then-and-now";
import { zoneName } from "@/lib/domain/time/zone-name";
import { DAY_MS } from "@/lib/domain/time/units";
import { capital } from "@/lib/domain/text/capital";

/** Sentences on the page of a share link, in its preview, and in a chat. */

const NEEDS_ATTENTION: ReadonlySet<Verdict> = new Set(["failing", "stale", "late"]);

/** In place of a date. */
export const NOT_CHECKED_YET = "not checked yet";

/** An endpoint in shared text. */
export type TellingEndpoint = {
  endpointKey: string;
  word: Verdict;
  ageMs: number | null;
  /** Negative while early. */
  latenessMs: number | null;
};

type When = { nowMs: number; timeZone: string };

/**
 * "At 14:32, 3 of 9 Procore feeds were late; the worst was daily_logs"
 * @param given.atMs the instant described: when blind, the last check before
 */
export function thenHeadline(
  partnerName: string,
  endpoints: readonly TellingEndpoint[],
  { atMs, wasBlind, nowMs, timeZone }: When & { atMs: number; wasBlind: boolean },
): string {
  const frozen = { asOfMs: atMs, nowMs, timeZone };
  const { before, endpointKey, after } = partnerHeadline(
    partnerName,
    endpoints.map(headlineEndpoint),
    frozen,
  );
  return `${before}${endpointKey}${after}${wasBlind ? `; ${UNSEEN_AFTER}` : ""}.`;
}

/**
 * One dated statement, for a chat: "Procore · Northgate: 2 of 9 need attention, worst daily_logs, 18 h 50 m overdue, as
 * of Sat 20:33 UTC". It mentions what can't be judged, and is in the past tense when blind.
 * @param subject what it is about: "Procore · Northgate"
 * @param endpoints empty: nothing was seen yet
 * @param picture.asOfMs the instant described: now, or the snapshot's when blind
 * @param picture.checkedMs the last check, if it is longer ago than expected; null: it isn't, or `asOfMs` covers it
 */
export function chatStatement(
  subject: string,
  endpoints: readonly (TellingEndpoint & { name: string })[],
  picture: When & { asOfMs: number | null; checkedMs: number | null; isBlind: boolean },
): string {
  const { asOfMs, checkedMs, nowMs, timeZone, isBlind } = picture;
  if (asOfMs === null || endpoints.length === 0) return `${subject}: ${NOT_CHECKED_YET}`;
  const dated = datedText({ asOfMs, checkedMs, isBlind }, { nowMs, timeZone });
  const worst = worstFirst(endpoints.map((one) => ({ ...headlineEndpoint(one), name: one.name })));
  const unknown = endpoints.filter(({ word }) => word === "unknown").length;
  const cannotTell = unknown === 0 ? "" : `, ${unknown} can’t be judged`;
  const [only] = endpoints;
  if (endpoints.length === 1 && only !== undefined) {
    const overdue = overdueText(only.word, only.latenessMs);
    return `${subject}: ${isBlind ? "was " : ""}${only.word}${overdue}, ${dated}`;
  }
  const [first] = worst;
  if (first === undefined) {
    const none = isBlind ? "none needed attention" : "none needs attention";
    return `${subject}: ${none} of ${endpoints.length}${cannotTell}, ${dated}`;
  }
  const need = isBlind ? "needed" : worst.length === 1 ? "needs" : "need";
  const named = `worst ${first.name}${overdueText(first.word, first.judgement.terms.latenessMs)}`;
  return `${subject}: ${worst.length} of ${endpoints.length} ${need} attention, ${named}${cannotTell}, ${dated}`;
}

/**
 * "Procore · Northgate, incident 12: Procore has needed attention since 10:02: 2 of 9 feeds; next sync 15:00, as of
 * Sat 20:33 UTC"; for an ended incident, how it ended.
 * @param picture.nowMs on the API's clock
 */
export function incidentStatement(
  subject: string,
  incident: HeadlineIncident,
  picture: When,
): string {
  const { nowMs, timeZone } = picture;
  return `${subject}: ${incidentHeadline(incident, picture)}, ${asOfText(nowMs, nowMs, timeZone)}`;
}

/** A company in a chat statement: number of endpoints that need attention, and that can't be judged. */
export type TellingCompany = {
  name: string;
  attention: number;
  unknown: number;
  total: number;
  isBlind: boolean;
  /** The last check, if it is longer ago than expected; otherwise null. */
  checkedMs: number | null;
};

/**
 * "Plumbline: 2 of 24 customers need attention, worst Northgate (12 of 60 feeds), 1 not visible now, as of Sat
 * 20:33 UTC"
 * @param companies worst first
 */
export function companiesStatement(
  subject: string,
  companies: readonly TellingCompany[],
  { nowMs, timeZone }: When,
): string {
  const seen = companies.filter(({ isBlind }) => !isBlind);
  const worst = seen.filter(({ attention }) => attention > 0);
  const [first] = worst;
  const blind = companies.length - seen.length;
  const unseen = blind === 0 ? "" : `, ${blind} we can’t check`;
  const unknown = seen.reduce((sum, company) => sum + company.unknown, 0);
  const cannotTell = unknown === 0 ? "" : `, ${counted(unknown, "feed")} can’t be judged`;
  const need = worst.length === 1 ? "needs" : "need";
  // The oldest of the overdue checks.
  const checked = seen.flatMap(({ checkedMs }) => checkedMs ?? []);
  const late = checkedText(checked.length === 0 ? null : Math.min(...checked), {
    nowMs,
    timeZone,
  });
  if (seen.length === 0)
    return `${subject}: we can’t check any of ${companies.length}, ${asOfText(nowMs, nowMs, timeZone)}`;
  const many =
    first === undefined
      ? `none of ${seen.length} needs attention`
      : `${worst.length} of ${seen.length} ${need} attention, worst ${first.name} (${first.attention} of ${first.total} feeds)`;
  return `${subject}: ${many}${cannotTell}${unseen}, ${asOfText(nowMs, nowMs, timeZone)}${late}`;
}

/**
 * "as of Sat 20:33 UTC", and the last check if that is longer ago than expected. What is known only of an earlier
 * instant has that one: "as of Sat 20:12 UTC, not checked since".
 * @param seen.asOfMs the instant described
 * @param seen.checkedMs the last check, if it is longer ago than expected; null: it isn't, or `asOfMs` covers it
 */
export function datedText(
  { asOfMs, checkedMs, isBlind }: { asOfMs: number; checkedMs: number | null; isBlind: boolean },
  when: When,
): string {
  const asOf = asOfText(asOfMs, when.nowMs, when.timeZone);
  return `${asOf}${isBlind ? ", not checked since" : checkedText(checkedMs, when)}`;
}

/** ", last check Sat 20:29 UTC"; empty if not needed. */
function checkedText(checkedMs: number | null, { nowMs, timeZone }: When): string {
  return checkedMs === null ? "" : `, last check ${dayAndTime(checkedMs, nowMs, timeZone)}`;
}

/** "as of Sat 20:33 UTC": with the day even today, because it is read on other days. */
export function asOfText(asOfMs: number, nowMs: number, timeZone: string): string {
  return `as of ${dayAndTime(asOfMs, nowMs, timeZone)}`;
}

/** "Sat 20:33 UTC", with the day even today. */
export function dayAndTime(ms: number, nowMs: number, timeZone: string): string {
  const seenFromMs = Math.max(nowMs, ms + DAY_MS);
  return `${moment(ms, seenFromMs, timeZone)} ${zoneName(ms, timeZone)}`;
}

/** ", 18 h 50 m overdue"; empty if the verdict has no lateness to show. */
function overdueText(word: Verdict, latenessMs: number | null): string {
  const hasLateness = (NEEDS_ATTENTION.has(word) || word === "due") && (latenessMs ?? 0) > 0;
  return hasLateness && latenessMs !== null ? `, ${duration(latenessMs)} overdue` : "";
}

/**
 * "3 of 9 needed attention; worst daily_logs, 1 h 10 m overdue", below a picture that shows its time.
 * @param total total number of endpoints, if not all are listed
 * @param checks from `checksNote`
 */
export function previewStatement(
  endpoints: readonly TellingEndpoint[],
  checks: string,
  total: number = endpoints.length,
): string {
  const worst = worstFirst(endpoints.map(headlineEndpoint));
  const unknown = endpoints.filter(({ word }) => word === "unknown").length;
  const [first] = worst;
  const rest = `${unknown === 0 ? "" : ` ${unknown} couldn’t be judged.`}${checks === "" ? "" : ` ${capital(checks)}.`}`;
  if (first === undefined) return `None of ${total} needed attention.${rest}`;
  const overdue = overdueText(first.word, first.judgement.terms.latenessMs);
  return `${worst.length} of ${total} needed attention; worst ${first.endpointKey}${overdue}.${rest}`;
}

/**
 * "3 of 9 Procore feeds were late", always in the past tense.
 * @param partnerName null: the font can't render it
 * @param total total number of endpoints, if not all are listed
 */
export function pictureHeadline(
  partnerName: string | null,
  endpoints: readonly TellingEndpoint[],
  total: number = endpoints.length,
): string {
  const noun = `${partnerName === null ? "" : `${partnerName} `}${total === 1 ? "feed" : "feeds"}`;
  const be = (many: number) => (many === 1 ? "was" : "were");
  const worst = worstFirst(endpoints.map(headlineEndpoint));
  const [first] = worst;
  if (first !== undefined) {
    const isOneWord = new Set(worst.map(({ word }) => word)).size === 1;
    const state = isOneWord ? `${be(worst.length)} ${first.word}` : "needed attention";
    return `${worst.length} of ${total} ${noun} ${state}`;
  }
  const unknown = endpoints.filter(({ word }) => word === "unknown").length;
  return unknown === 0
    ? `None of ${total} ${noun} needed attention`
    : `${unknown} of ${total} ${noun} couldn’t be judged; none was known to be behind`;
}

function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 16)} UTC`;
}

/** "last checked at 21:10 UTC": how current the data was at the moment of a card; empty while checks were on time. */
export function checksNote(confidence: Confidence, asOfMs: number): string {
  if (confidence === "blind") return UNSEEN_AFTER;
  return confidence === "delayed" ? `last checked at ${utcTime(asOfMs)}` : "";
}

/** "21 Nov 2026, 14:02 UTC": the time on a picture. */
export function pictureMoment(atMs: number): string {
  return `${dayMonthYear(atMs, "UTC")}, ${utcTime(atMs)}`;
}

function headlineEndpoint({
  endpointKey,
  word,
  ageMs,
  latenessMs,
}: TellingEndpoint): HeadlineEndpoint {
  return { endpointKey, word, judgement: { terms: { ageMs, latenessMs } } };
}
