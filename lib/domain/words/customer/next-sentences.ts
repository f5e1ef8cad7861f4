import { type CustomerFeed, stateOf, inState, named } from "./feeds";
import { missedSyncMs } from "@/lib/domain/incidents/missed-sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { isPromiseSaid } from "./promise-sentences";
import type { ReadingClock } from "./reading-clock";

/** About the feeds behind if there are any, otherwise about all scheduled ones. */
export function nextSentences(feeds: readonly CustomerFeed[], clock: ReadingClock): string[] {
  const behind = inState(feeds, "behind");
  const awaited =
    behind.length > 0
      ? behind
      : feeds.filter((feed) => stateOf(feed) !== "webhook" && stateOf(feed) !== "paused");
  if (awaited.length === 0)
    return inState(feeds, "webhook").length > 0
      ? []
      : [`Nothing is scheduled until ${feeds.length === 1 ? "it’s" : "they’re"} turned back on.`];
  const running = awaited.filter(
    ({ judgement: { overlays } }) => overlays.syncing && !overlays.stuck,
  );
  if (running.length > 0) return [runningSentence(running, feeds.length === 1)];

  const noun = behind.length > 0 ? "attempt" : "sync";
  const missed = awaited.filter((feed) => missedMs(feed, clock) !== null);
  const [soon, silent] = [true, false].map((isWithin) =>
    missed.filter((feed) => isWithinGrace(feed, clock) === isWithin),
  );
  const upcoming = awaited.filter((feed) => upcomingMs(feed, clock) !== null);
  const isOnly = awaited.length === 1;
  const areNamed = behind.length > 0 && feeds.some((feed) => isSpokenOfBeside(feed, clock));
  const isAll = (some: readonly CustomerFeed[]) => !areNamed && some.length === awaited.length;
  const sentences = [
    missedSentence(soon ?? [], noun, isAll(soon ?? []), true, clock),
    missedSentence(silent ?? [], noun, isAll(silent ?? []), false, clock),
    scheduledSentence(upcoming, noun, { isOnly, areNamed: areNamed || missed.length > 0 }, clock),
  ].filter(Boolean);
  return sentences.length > 0
    ? sentences
    : [
        `No time is set for the next ${noun}${areNamed ? ` of ${named(awaited)}` : ""}; we’re monitoring it.`,
      ];
}

function runningSentence(running: readonly CustomerFeed[], isOnly: boolean): string {
  const isOne = running.length === 1;
  const what = isOne
    ? `A sync${isOnly ? "" : ` of ${named(running)}`} is`
    : `Syncs of ${named(running)} are`;
  const when = running.some(isInDoubt)
    ? `if ${isOne ? "it succeeds" : "they succeed"},`
    : isOne
      ? "once it finishes"
      : "as they finish";
  return `${what} running now; ${when} you’ll see new data.`;
}

/** Whether the end of its running sync may not be new data: the one before failed, or it takes longer than usual. */
function isInDoubt({ judgement: { terms } }: CustomerFeed): boolean {
  const { failureStreak, runningForMs, typicalMs } = terms;
  return (
    failureStreak > 0 || runningForMs === null || typicalMs === null || runningForMs > typicalMs
  );
}

/** Time of a sync that should have started but shows no sign of it; null if there is none. */
function missedMs(
  { judgement: { terms, reasons } }: CustomerFeed,
  clock: ReadingClock,
): number | null {
  if (terms.graceMs === null || reasons[0].code === "not_reported") return null;
  return missedSyncMs(terms, clock.nowMs);
}

function isWithinGrace({ judgement: { terms } }: CustomerFeed, clock: ReadingClock): boolean {
  return clock.nowMs - (terms.nextMs ?? 0) <= (terms.graceMs ?? 0);
}

function upcomingMs(
  { judgement: { terms, reasons } }: CustomerFeed,
  clock: ReadingClock,
): number | null {
  // Without an allowance there is no schedule either.
  if (terms.nextMs === null || terms.graceMs === null || reasons[0].code === "not_reported")
    return null;
  return terms.nextMs > clock.nowMs ? terms.nextMs : null;
}

function missedSentence(
  missed: readonly CustomerFeed[],
  noun: string,
  areAll: boolean,
  isSoon: boolean,
  clock: ReadingClock,
): string {
  const times = missed.flatMap((feed) => missedMs(feed, clock) ?? []).toSorted((a, b) => a - b);
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined) return "";
  const isOne = missed.length === 1;
  const of = areAll ? "" : ` of ${named(missed)}`;
  const isOneTime = Math.floor(first / MINUTE_MS) === Math.floor(last / MINUTE_MS);
  const when = isOneTime ? clock.passed(first) : `by ${clock.passedBy(last)}`;
  const due = `The next ${noun}${isOne ? "" : "s"}${of} ${isOne ? "was" : "were"} due ${when}`;
  return isSoon
    ? `${due} and should start soon.`
    : `${due} and ${isOne ? "hasn’t" : "haven’t"} started; we’re monitoring it.`;
}

/** Whether a sentence before is about this feed although it isn't behind, so that "the next attempt" might mean its own. */
function isSpokenOfBeside(feed: CustomerFeed, { nowMs }: ReadingClock): boolean {
  const state = stateOf(feed);
  return state === "unknown" || (state !== "behind" && isPromiseSaid(feed, nowMs));
}

function scheduledSentence(
  upcoming: readonly CustomerFeed[],
  noun: string,
  { isOnly, areNamed }: { isOnly: boolean; areNamed: boolean },
  clock: ReadingClock,
): string {
  const times = upcoming.flatMap((feed) => upcomingMs(feed, clock) ?? []);
  const [first, ...later] = times.toSorted((a, b) => a - b);
  if (first === undefined) return "";
  const last = later.at(-1) ?? first;
  const from = clock.at(first);
  const until = clock.at(last);
  const isOneTime = last - first < MINUTE_MS && from.startsWith(until);
  const when = isOneTime ? `for ${from}` : `between ${from} and ${until}`;
  if (areNamed)
    return later.length === 0
      ? `The next ${noun} of ${named(upcoming)} is scheduled ${when}.`
      : `The next ${noun}s of ${named(upcoming)} are scheduled ${when}.`;
  return isOnly || isOneTime
    ? `The next ${noun} is scheduled for ${from}.`
    : `The next ${noun}s are scheduled ${when}.`;
}
