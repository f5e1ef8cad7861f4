import { PROMISE_STATES, type PromiseState } from "@/lib/domain/deadlines/deadline";
import { shownState } from "@/lib/domain/deadlines/row-promise";
import { groupBy } from "@/lib/domain/collections/group-by";
import { MINUTE_MS } from "@/lib/domain/time/units";
import {
  type CustomerFeed,
  type CustomerPromise,
  inWords,
  longDuration,
  named,
  stateOf,
} from "./feeds";
import type { ReadingClock } from "./reading-clock";

/** More would be a list. */
const MAX_SENTENCES = 3;
/** Said whatever the feed's state; the others only of feeds that are behind. */
const ALWAYS_SAID: ReadonlySet<PromiseState> = new Set(["missed", "at_risk", "being_checked"]);

type Promised = {
  feed: CustomerFeed;
  promise: CustomerPromise;
  state: PromiseState;
  dueMs: number;
};

/**
 * By when data was promised, and what is known of it: promises that are missed or at risk, and those of feeds that are
 * behind.
 * @param feeds in any order; those without a promise are ignored
 * @param isBlind their source can't be checked now
 */
export function promiseSentences(
  feeds: readonly CustomerFeed[],
  clock: ReadingClock,
  isBlind = false,
): string[] {
  const all = feeds.flatMap((feed) => promisedOf(feed, clock.nowMs));
  const groups = groupBy(all, ({ dueMs, promise, state }) => {
    const hasArrived = promise.late_seconds !== null;
    return `${PROMISE_STATES.indexOf(state)} ${hasArrived} ${Math.floor(dueMs / MINUTE_MS)}`;
  });
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, members]) => members);
  const rest = sorted.slice(MAX_SENTENCES).flat().length;
  return [
    ...sorted
      .slice(0, MAX_SENTENCES)
      .map((members) => sentenceOf(members, feeds.length === 1, clock, isBlind)),
    ...(rest === 0 ? [] : [`Data was also promised for ${inWords(rest)} more.`]),
  ];
}

/** Whether `promiseSentences` says something of this feed, if there aren't too many. */
export function isPromiseSaid(feed: CustomerFeed, nowMs: number): boolean {
  return promisedOf(feed, nowMs).length > 0;
}

function promisedOf(feed: CustomerFeed, nowMs: number): Promised[] {
  const { promise } = feed;
  if (promise == null) return [];
  const state = shownState(promise, nowMs);
  const isSaid = ALWAYS_SAID.has(state) || (stateOf(feed) === "behind" && state !== "excused");
  return isSaid ? [{ feed, promise, state, dueMs: Date.parse(promise.due_at) }] : [];
}

/** @param members alike in state and time */
function sentenceOf(
  members: readonly Promised[],
  isOnly: boolean,
  clock: ReadingClock,
  isBlind: boolean,
): string {
  const [first] = members;
  if (first === undefined) return "";
  const { state, dueMs, promise } = first;
  const isAhead = dueMs > clock.nowMs;
  const by = isAhead ? clock.at(dueMs) : clock.passedBy(dueMs);
  const of = isOnly ? "" : ` for ${named(members.map(({ feed }) => feed))}`;
  const promised = `New data${of} ${isAhead ? "is" : "was"} promised by ${by}`;
  switch (state) {
    case "met":
      return `The data promised${of} by ${by} arrived in time.`;
    case "missed":
      if (promise.late_seconds !== null)
        return members.length === 1
          ? `${promised} and arrived ${promise.late_at_most ? "at most " : ""}${longDuration(promise.late_seconds * 1000)} late.`
          : `${promised} and arrived late.`;
      return isBlind
        ? `${promised} and hadn’t arrived then.`
        : `${promised} and hasn’t arrived yet.`;
    case "not_observed":
      return `${promised}; we couldn’t check whether it arrived in time.`;
    case "at_risk":
    case "being_checked":
    case "open":
    case "excused":
      if (isBlind)
        return `${promised}; we can’t see right now whether it ${isAhead ? "will arrive in time" : "has arrived"}.`;
      if (state === "at_risk") return `${promised} and may be late.`;
      return state === "being_checked"
        ? `${promised}; we’re checking whether it arrived in time.`
        : `${promised}.`;
  }
}
