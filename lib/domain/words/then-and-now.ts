import { judgedOf } from "@/lib/domain/order";
import type { Verdict } from "@/lib/domain/sync";
import { clockTime, shownMs, span } from "./format";
import { atMoment, datedMoment } from "./dates";
import { zoneName } from "@/lib/domain/time/zone-name";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { tally } from "@/lib/domain/verdict";

/** Column heads and cells of a comparison. @param time a moment with its zone, or "not yet" */
export const comparison = {
  endpoint: "Feed",
  atThen: (time: string) => `Then, ${time}`,
  /** If the company was blind then. */
  atThenLast: (time: string) => `Then, last check ${time}`,
  atNow: (time: string) => `Now, ${time}`,
  /** Once the company is blind: the state of the last check. */
  atLast: (time: string) => `Last check, ${time}`,
  change: "Change",
  notKnown: "not known",
  notKnownNow: "not known now",
  overdue: (lateness: string) => `${lateness} overdue`,
  /** The verdict of the last check, when none was possible since. */
  was: (word: Verdict) => `was ${word}`,
};

/** "No history for Wed 18 Nov, 18:20." */
export const noHistoryText = (atMs: number, nowMs: number, timeZone: string) =>
  `No history for ${datedMoment(atMs, nowMs, timeZone)}.`;

/** An endpoint at one instant. Null: unknown. */
export type Side = {
  word: Verdict | null;
  ageMs: number | null;
  /** Negative while early. */
  latenessMs: number | null;
};

/** Change of an endpoint; `hasChanged` highlights it. */
export type Change = { text: string; hasChanged: boolean };

const NEEDS_ATTENTION: ReadonlySet<Verdict> = new Set(["failing", "stale", "late"]);

/**
 * @param before null: not recorded at that time
 * @param now null: the endpoint is no longer listed
 */
export function changeOf(before: Side | null, now: Side | null): Change {
  if (now === null) return { text: "no longer listed", hasChanged: true };
  if (before === null || before.word === null) return { text: "not known then", hasChanged: false };
  if (now.word === null) return { text: "not known now", hasChanged: true };
  if (before.word !== now.word) {
    const isBetter = NEEDS_ATTENTION.has(before.word) && now.word === "fresh";
    return { text: isBetter ? "caught up" : `now ${nowWord(now.word)}`, hasChanged: true };
  }
  if (!NEEDS_ATTENTION.has(now.word)) return { text: "no change", hasChanged: false };
  // Of what stands beside it, so that the three agree.
  const laterMs = shownMs(now.latenessMs ?? 0) - shownMs(before.latenessMs ?? 0);
  if (before.latenessMs === null || now.latenessMs === null || Math.abs(laterMs) < MINUTE_MS)
    return { text: `still ${nowWord(now.word)}`, hasChanged: false };
  return laterMs > 0
    ? { text: `${span(laterMs)} more overdue`, hasChanged: true }
    : { text: `${span(-laterMs)} less overdue`, hasChanged: true };
}

function nowWord(word: Verdict): string {
  return word === "webhook" ? "by webhook" : word;
}

/** Follows the state at the last check before a blind instant. */
export const UNSEEN_AFTER = "we couldn’t check after that";
const CANNOT_TELL = "We can’t tell how it is now.";

/** Instants of a headline, epoch milliseconds. */
type Compared = {
  /** Instant of the first sides: if blind then, the last check before. */
  atMs: number;
  wasBlind: boolean;
  /** Whether none of several could be seen then. Their last checks were at different times. */
  wasUnseen?: boolean;
  nowMs: number;
  timeZone: string;
  /** Whether the company is blind now. */
  isBlind: boolean;
  /** What the sides are of. */
  noun?: "feed" | "customer";
};

/**
 * "3 of 9 feeds needed attention at 14:32. Now 1 does."; for a blind instant "3 of 9 needed attention at 14:02; we couldn’t
 * check after that. ..."; when blind now "... We can’t tell how it is now."
 * @param sides every endpoint known then or now
 */
export function thenAndNowHeadline(
  sides: readonly { before: Side | null; now: Side | null }[],
  { atMs, wasBlind, wasUnseen = false, nowMs, timeZone, isBlind, noun = "feed" }: Compared,
): string {
  const at = `${atMoment(atMs, nowMs, timeZone)}${wasBlind ? `; ${UNSEEN_AFTER}` : ""}`;
  const [only] = sides;
  if (sides.length === 1 && only !== undefined) {
    const { before, now } = only;
    if (!isKnown(before)) return `${unknownThen("it")} ${isBlind ? CANNOT_TELL : presentOf(now)}`;
    const then = `${needsAttention(before) ? "Needed" : "Didn’t need"} attention ${at}`;
    if (isBlind) return `${then}. ${CANNOT_TELL}`;
    return wasBlind ? `${then}. ${presentOf(now)}` : `${then}; ${sinceThen(before, now)}.`;
  }
  const words = sides.flatMap(({ before }) => before?.word ?? []);
  const judged = judgedOf(tally(words));
  const now = sides.filter(({ now: side }) => needsAttention(side)).length;
  const areAllKnown = sides.every(({ now: side }) => isKnown(side));
  const none = areAllKnown ? "Now none does" : "As far as we know, none does now";
  // A customer is unknown if only one of its feeds is: the sentence below says no more than that.
  const isUnjudged = noun === "feed" && words.includes("unknown") && judged === 0;
  if (words.length === 0 || isUnjudged || wasUnseen) {
    const present = now === 0 ? "None is known to need" : `${now} ${now === 1 ? "needs" : "need"}`;
    return `${unknownThen("them")} ${isBlind ? CANNOT_TELL : `${present} attention now.`}`;
  }
  const then = sides.filter(({ before }) => needsAttention(before)).length;
  const ofAll = `of ${words.length} ${nounOf(noun, words.length)}`;
  const needed = `${subject()} needed attention ${at}`;
  if (isBlind) return `${needed}. ${CANNOT_TELL}`;
  if (sides.every(({ now: side }) => side === null)) return `${needed}. They’re no longer listed.`;
  const still = sides.filter(
    ({ before, now: side }) => isKnown(before) && needsAttention(before) && needsAttention(side),
  ).length;
  if (!wasBlind && then > 0 && still === then && still === now)
    return `${needed}, and ${then === 1 ? "it still does" : "they still do"}.`;
  return `${needed}. ${now === 0 ? none : `Now ${now} ${now === 1 ? "does" : "do"}`}.`;

  function subject(): string {
    if (then > 0) return `${then} ${ofAll}`;
    if (!words.includes("unknown")) return `None ${ofAll}`;
    return judged <= 1
      ? `No ${noun} is known to have`
      : `None of the ${judged} ${nounOf(noun, judged)} that could be judged`;
  }

  /** Of a moment at which no side is known: not seen, seen but not judged, or not recorded. */
  function unknownThen(it: "it" | "them"): string {
    if (wasUnseen) return `We couldn’t see ${it === "it" ? it : `any ${noun}`} ${at}.`;
    return sides.some(({ before }) => before?.word === "unknown")
      ? `We couldn’t judge ${it} ${at}.`
      : noHistoryText(atMs, nowMs, timeZone);
  }
}

/**
 * Headings of the two columns: "14:32 CET" each, or "Fri 23 Oct, 14:32 CEST" and "Thu 19 Nov, 14:32 CET" if the link is
 * from another day. Each has the zone's name at its own instant.
 */
export function thenAndNowTimes({
  atMs,
  nowMs,
  timeZone,
}: {
  atMs: number;
  nowMs: number;
  timeZone: string;
}): { before: string; now: string } {
  const before = datedMoment(atMs, nowMs, timeZone);
  const isToday = before === clockTime(atMs, timeZone);
  // If the days differ, both show a date.
  const now = isToday ? clockTime(nowMs, timeZone) : datedMoment(nowMs, atMs, timeZone);
  return {
    before: `${before} ${zoneName(atMs, timeZone)}`,
    now: `${now} ${zoneName(nowMs, timeZone)}`,
  };
}

function nounOf(noun: "feed" | "customer", amount: number): string {
  return amount === 1 ? noun : `${noun}s`;
}

/** Change of the only endpoint. */
function sinceThen(before: Side | null, now: Side | null): string {
  if (now === null) return "no longer listed";
  if (!isKnown(now)) return "not known now";
  if (needsAttention(before)) return needsAttention(now) ? "still does" : "doesn’t now";
  return needsAttention(now) ? "does now" : "still doesn’t";
}

function presentOf(now: Side | null): string {
  if (now === null) return "No longer listed.";
  if (!isKnown(now)) return "Not known now.";
  return `${needsAttention(now) ? "Needs" : "Doesn’t need"} attention now.`;
}

function isKnown(side: Side | null): boolean {
  return side !== null && side.word !== null && side.word !== "unknown";
}

function needsAttention(side: Side | null): boolean {
  return side !== null && side.word !== null && NEEDS_ATTENTION.has(side.word);
}
