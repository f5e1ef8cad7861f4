import { TROUBLES, type Trouble } from "@/lib/domain/incidents/incident";
import { instantMs } from "@/lib/domain/time/instant";
import { clockTime, moment } from "@/lib/domain/words/format";
import type { DotField } from "./dot-field";
import type { Scene, When } from "./scene";
import { ATTEMPTS_WIDTH_U, PORTRAIT_TILES_U, rowCapacity, rowsWidthU } from "./layout/space";
import { oldestReadMs, type Trust } from "./trust";
import { attentionWords, companiesText, fleetWords, namesText } from "./words";
import { nextAttempts, type Fleet } from "@/lib/client/wall/fleet";
import { fleetRow, type FleetRow } from "./fleet-row";

/** Lines of trouble of several companies, the next attempts, and what has no row. */
export type FleetMain = {
  kind: "fleet";
  /** Worst first. */
  rows: readonly FleetRow[];
  field: DotField | null;
  attempts: readonly { key: string; time: string; partner: string; whose: string }[];
  /** Instead of attempts; empty: there are some. */
  noAttempts: string;
  rest: FleetRest | null;
};

/** What has no row: lines by number, and the companies that aren't seen. */
export type FleetRest = {
  /** "14 more:"; empty: every line has a row. */
  lead: string;
  counts: readonly { word: Trouble; text: string }[];
  /** "6 with no one yet", "2 in planned quiet". */
  notes: readonly string[];
  /** "Tarn Airports", ": can’t see since 13:52"; null: all are seen. */
  unseen: { names: string; says: string } | null;
};

/** @param fieldOf the dot field below so many rows, if it fits */
export function fleetMain(
  fleet: Fleet,
  { trusts, space, hasBand, when }: Pick<Scene, "trusts" | "space" | "hasBand" | "when">,
  fieldOf: (rows: number) => DotField | null,
): FleetMain {
  const { lines } = fleet.today;
  const roomFor = (hasMore: boolean) =>
    rowCapacity(space, { hasBand, hasMore, isNamed: true, tilesU: PORTRAIT_TILES_U });
  const isAll = lines.length <= roomFor(false) && restOf([], fleet, when) === null;
  const shown = lines.slice(0, roomFor(!isAll));
  const companies = trusts.map(({ company }) => company);
  const given = {
    companies,
    when,
    widthU: rowsWidthU(space, ATTEMPTS_WIDTH_U),
    factLines: space.shape === "portrait" ? 2 : 1,
  };
  const attempts = attemptsOf(fleet, when);
  return {
    kind: "fleet",
    rows: shown.map((line) => fleetRow(line, fleet, given)),
    field: fieldOf(shown.length),
    attempts,
    noAttempts:
      attempts.length > 0 ? "" : fleet.isFrozen ? fleetWords.notKnown : fleetWords.noneScheduled,
    rest: restOf(lines.slice(shown.length), fleet, when),
  };
}

const MAX_ATTEMPTS = 6;

function attemptsOf(fleet: Fleet, { nowMs, timeZone }: When): FleetMain["attempts"] {
  return nextAttempts(fleet, nowMs, MAX_ATTEMPTS).map(
    ({ key, apiMs, offsetMs, partner, companies }) => {
      const time = clockTime(apiMs, timeZone);
      const day = moment(apiMs, nowMs + offsetMs, timeZone)
        .slice(0, -time.length)
        .trim()
        .replace(/,$/, "");
      const [only = "", ...others] = companies;
      const whose = others.length === 0 ? only : companiesText(companies.length);
      return { key, time, partner, whose: day === "" ? whose : fleetWords.onDay(day, whose) };
    },
  );
}

type Line = Fleet["today"]["lines"][number];

/** @returns null if there is nothing to say */
export function restOf(others: readonly Line[], fleet: Fleet, when: When): FleetRest | null {
  const counts = TROUBLES.toReversed().flatMap((word) => {
    const amount = others.filter(({ verdict }) => verdict === word).length;
    return amount === 0 ? [] : [{ word, text: fleetWords.ofWord(amount, word, fleet.isFrozen) }];
  });
  const noOne = others.filter(
    ({ acknowledged, members }) =>
      acknowledged === 0 &&
      !fleet.isFrozen &&
      !members.some(({ company }) => fleet.unanswered.has(company.slug)),
  ).length;
  const { quiet } = fleet.today.counts;
  const unseen = unseenOf(fleet, when);
  if (others.length === 0 && quiet === 0 && unseen === null) return null;
  return {
    lead: others.length === 0 ? "" : fleetWords.more(others.length),
    counts,
    notes: [
      ...(noOne === 0 ? [] : [fleetWords.withNoOne(noOne)]),
      ...(quiet === 0 ? [] : [fleetWords.quiet(quiet)]),
    ],
    unseen,
  };
}

/** While no company is seen, the band says so. */
function unseenOf(
  { today: { unseen }, isFrozen }: Fleet,
  { nowMs, timeZone }: When,
): FleetRest["unseen"] {
  if (unseen.length === 0 || isFrozen) return null;
  const names = namesText(unseen.map(({ company }) => company.name));
  const sinceMs = unseen.flatMap(({ since }) => instantMs(since) ?? []);
  if (sinceMs.length === 0) return { names, says: fleetWords.notChecked };
  const at = moment(Math.min(...sinceMs), nowMs, timeZone);
  const isFirst = new Set(sinceMs).size + unseen.length - sinceMs.length > 1;
  return { names, says: fleetWords.unseen(at, isFirst) };
}

/** "19 of 37 customers behind, 17 on time". @param counted the companies that the numbers cover */
export function fleetAttention(
  { today, isFrozen }: Fleet,
  { trusts, counted, when }: { trusts: readonly Trust[]; counted: readonly Trust[]; when: When },
): string {
  const asOfMs = oldestReadMs(counted.filter(({ state }) => state !== "live"));
  const at = asOfMs === null ? "" : moment(asOfMs, when.nowMs, when.timeZone);
  const { counts, well, unseen, cannot_judge: cannotJudge } = today;
  const numbers = {
    behind: counts.companies_behind,
    all: trusts.length,
    onTime: well.length,
    unseen: unseen.length,
    cannotJudge: cannotJudge.length,
  };
  return attentionWords.fleet(numbers, at, isFrozen);
}

/** Promises of the companies that are seen. */
export function fleetPromises({ today: { promises } }: Fleet): { missed: number; atRisk: number } {
  return { missed: promises.missed, atRisk: promises.at_risk };
}
