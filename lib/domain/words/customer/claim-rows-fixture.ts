import type { EndpointFacts, SyncAttributes, Verdict } from "@/lib/domain/sync";
import type { Judgement } from "@/lib/domain/verdict";

/**
 * For tests: reads the paragraphs for customers back, sentence by sentence, and checks each claim
 * against the rows that it was made from. Times are read in UTC.
 */

export type ClaimRow = {
  attributes: SyncAttributes;
  known: EndpointFacts;
  judgement: Judgement;
  word: Verdict;
};

export type ClaimContext = {
  rows: readonly ClaimRow[];
  /** The instant at which the rows are judged, and that of the last check. */
  nowMs: number;
  asOfMs: number;
};

/** Spoken names, and what a sync of one is called. */
export const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  daily_logs: ["Daily logs", "A Daily log sync"],
  rfis: ["RFIs", "An RFI sync"],
  submittals: ["Submittals", "A Submittal sync"],
  observations: ["Observations", "An Observation sync"],
  pci: ["PCI", "A PCI sync"],
  wbs: ["WBS", "A WBS sync"],
  gl_entries: ["GL entries", "A GL entry sync"],
  business_processes: ["Business processes", "A Business process sync"],
  activities: ["Activities", "An Activity sync"],
  urls: ["URLs", "A URL sync"],
};

export const MINUTE = 60_000;
export const COUNTS = "no one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);
const BEHIND: ReadonlySet<Verdict> = new Set(["failing", "stale", "late"]);

export const isBehind = ({ word }: ClaimRow) => BEHIND.has(word);
export const nameOf = ({ attributes }: ClaimRow) =>
  NAMES[attributes.endpoint_key]?.[0] ?? attributes.endpoint_key;

export const instant = (text: string | null) => (text === null ? null : Date.parse(text));
export const landed = ({ attributes }: ClaimRow) => instant(attributes.last_updated_at);
export const minute = (ms: number | null) => (ms === null ? null : Math.floor(ms / MINUTE));
export const lateness = ({ judgement }: ClaimRow) => judgement.terms.latenessMs;
export const isDue = ({ word, judgement }: ClaimRow) =>
  word === "due" || (word === "fresh" && (judgement.terms.latenessMs ?? -1) >= 0);
/** Whether quiet time of its learned week makes it less overdue. */
const hasQuiet = ({ judgement: { reasons } }: ClaimRow) =>
  reasons.some(({ code }) => code === "learned_quiet");
const isOnTime = (row: ClaimRow) => row.word === "fresh" && !isDue(row);
export const isCurrent = (row: ClaimRow) => isOnTime(row) && !hasQuiet(row);
export const isResting = (row: ClaimRow) => isOnTime(row) && hasQuiet(row);
export const isOverdueBesideQuiet = (row: ClaimRow) =>
  (isBehind(row) || isDue(row)) && hasQuiet(row);
export const hasWord = (word: Verdict) => (row: ClaimRow) => row.word === word;

export function count(text: string): number {
  const at = COUNTS.indexOf(text.toLowerCase());
  return at === -1 ? Number(text) : at;
}

/** "12:15", "Sat 21 Nov, 12:15", "Sunday 12:15", "on Wed 18 Nov at 12:15", with or without UTC, as minutes since 1970. */
export function time(text: string, nowMs: number): number | null {
  const [, hour = "", minutes = ""] = /(\d\d):(\d\d)(?: UTC)?$/.exec(text) ?? [];
  const dayMs = 1440 * MINUTE;
  const at = (midnightMs: number) => minute(midnightMs) ?? 0;
  const clock = Number(hour) * 60 + Number(minutes);
  const todayMs = nowMs - (nowMs % dayMs);
  const date = /(\d{1,2}) ([A-Z][a-z]{2})(?: (\d{4}))?(?:,| at)/.exec(text);
  if (date !== null)
    return (
      at(Date.parse(`${date[1]} ${date[2]} ${date[3] ?? new Date(nowMs).getUTCFullYear()} UTC`)) +
      clock
    );
  const weekday = /([A-Z][a-z]{2,5}day) /.exec(text)?.[1];
  if (weekday === undefined) return hour === "" ? null : at(todayMs) + clock;
  const named = (ms: number) =>
    new Date(ms).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" }) === weekday;
  const back = [1, 2, 3, 4, 5, 6].find((days) => named(todayMs - days * dayMs));
  return back === undefined ? null : at(todayMs - back * dayMs) + clock;
}

/** Whether a spelled-out duration is `ms`, rounded down to two units. */
export function isSpan(text: string, ms: number | null): boolean {
  if (ms === null) return false;
  if (text === "less than a minute") return ms < MINUTE;
  const unit = { day: 1440 * MINUTE, hour: 60 * MINUTE, minute: MINUTE };
  const parts = [...text.matchAll(/(\d{1,4}) (day|hour|minute)s?/g)];
  const total = parts.reduce((sum, [, many, of]) => sum + Number(many) * unit[of as "day"], 0);
  const step = parts[0]?.[2] === "day" ? unit.hour : MINUTE;
  return total > 0 && ms >= total && ms < total + step;
}

/** The rows that a list of names means; null: it is a number of feeds, checked against `all`. */
export function listed(text: string, { rows }: ClaimContext): ClaimRow[] {
  const names = text.split(/, | and /);
  return names.map((name) => {
    const row = rows.find((one) => nameOf(one) === name);
    if (row === undefined) throw new Error(`There is no feed ${name}`);
    return row;
  });
}

/** Whether a list of names, or "five feeds", means exactly these rows. */
export function means(
  text: string | undefined,
  these: readonly ClaimRow[],
  context: ClaimContext,
): boolean {
  const many = /^(\w+) feeds$/i.exec(text ?? "")?.[1];
  if (text === undefined) return true;
  if (many !== undefined) return count(many) === these.length && these.length > 4;
  const names = listed(text, context);
  return names.length === these.length && these.every((row) => names.includes(row));
}

/** Whether "three of your five", "all five of your" or "both of your" are `these` of all rows. */
export function isShare(
  many: string,
  total: string | undefined,
  these: number,
  all: number,
): boolean {
  if (many.toLowerCase() === "both") return all === 2 && these === 2;
  const whole = /^all (\w+)$/i.exec(many)?.[1];
  if (whole !== undefined) return count(whole) === all && these === all;
  return count(many) === these && count(total ?? "") === all;
}

export function hasFailed(row: ClaimRow): boolean {
  const { attributes, known } = row;
  const decided = ["completed", "failed", "timed_out"].includes(attributes.last_sync_status ?? "");
  const [status, end] = decided
    ? [attributes.last_sync_status, attributes.last_sync_finished_at]
    : [known.last_finished_status, known.last_finished_at];
  const [endMs, landingMs] = [instant(end), landed(row)];
  const stands = landingMs === null || endMs === null || landingMs <= endMs;
  return (status === "failed" || status === "timed_out") && stands;
}

export function isLimited(row: ClaimRow): boolean {
  const { last_sync_status: status, last_sync_finished_at: end } = row.attributes;
  const [endMs, landingMs] = [instant(end), landed(row)];
  return status === "rate_limited" && (landingMs === null || endMs === null || landingMs <= endMs);
}

export const isRunning = ({ attributes, known }: ClaimRow) =>
  attributes.last_sync_status === "in_progress" && known.reported;
/** Whether its run takes longer than usual, or may, since that isn't known. */
export function outlasts({ attributes, known }: ClaimRow, nowMs: number): boolean {
  const startedMs = instant(attributes.last_sync_started_at);
  const usual = known.typical_duration_seconds ?? attributes.last_sync_duration_seconds;
  return startedMs === null || usual === null || usual < 0 || nowMs - startedMs > usual * 1000;
}
export const isStuck = ({ judgement }: ClaimRow) => judgement.reasons[0].code === "stuck";

/** Runs awaited: of the feeds behind, or else of all that have a schedule. */
export function awaited({ rows }: ClaimContext): ClaimRow[] {
  const behind = rows.filter(isBehind);
  return behind.length > 0
    ? behind
    : rows.filter(({ word }) => word !== "webhook" && word !== "paused");
}

export function hasMissed(row: ClaimRow, nowMs: number): boolean {
  const { attributes, known } = row;
  const nextMs = instant(attributes.next_sync_at);
  const before = (ms: number | null) => ms === null || (nextMs !== null && ms < nextMs);
  return (
    attributes.status !== "webhook" &&
    known.reported &&
    nextMs !== null &&
    nextMs <= nowMs &&
    before(landed(row)) &&
    before(instant(attributes.last_sync_started_at))
  );
}

/** The awaited feeds whose next sync is ahead. */
export function scheduled(context: ClaimContext): ClaimRow[] {
  return awaited(context).filter(({ attributes, known }) => {
    const nextMs = instant(attributes.next_sync_at);
    return (
      known.reported && attributes.status !== "webhook" && nextMs !== null && nextMs > context.nowMs
    );
  });
}

/** Minutes of their next syncs, soonest first. */
export function upcoming(context: ClaimContext): number[] {
  return scheduled(context)
    .flatMap(({ attributes }) => instant(attributes.next_sync_at) ?? [])
    .toSorted((a, b) => a - b)
    .map((nextMs) => Math.floor(nextMs / MINUTE));
}

export function isUnknownBecause(why: string | undefined, row: ClaimRow, nowMs: number): boolean {
  const { attributes, known } = row;
  if (row.word !== "unknown") return false;
  if (why === undefined) return true;
  if (why.startsWith("the source no longer lists")) return !known.reported;
  if (why === "no sync has run yet")
    return attributes.last_sync_status === null && known.last_finished_status === null;
  if (why === "the source doesn’t say when data last arrived") return landed(row) === null;
  if (/^(?:its|their) data is dated in the future$/.test(why)) return (landed(row) ?? 0) > nowMs;
  const last = /^(?:the last data is from (.+), and )?we don’t know how often to expect more$/.exec(
    why,
  );
  if (last === null || attributes.frequency_minutes !== null) return false;
  return last[1] === undefined || time(last[1], nowMs) === minute(landed(row));
}
