import { isPausedAtSource } from "@/lib/domain/sync";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { PromiseRequest, PromiseView } from "@/lib/contracts/promises";
import type { RowPromise } from "@/lib/contracts/row-promise";
import { capital } from "@/lib/domain/text/capital";
import { ruleOf } from "@/lib/domain/deadlines/entered-rule";
import { canHold } from "@/lib/domain/deadlines/holding";
import { plannedFor, type PlannedDeadline } from "@/lib/domain/deadlines/plan";
import { compareUrgency, promiseRank } from "@/lib/domain/deadlines/row-promise";
import { groupBy } from "@/lib/domain/collections/group-by";
import { compareText } from "@/lib/domain/text/compare-text";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import { cadenceOf } from "@/lib/domain/verdict";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { promisedText, type PromisedTimes } from "@/lib/domain/words/deadlines/promise-days";
import type { KeptMonth } from "./kept";

/** What a promise is for, as people read it. */
export type Subject = {
  /** Null: every partner. */
  partner: string | null;
  /** Null: all feeds. */
  feed: string | null;
};

/** A promise with what is known of it now. */
export type ListedPromise = {
  promise: PromiseView;
  subject: Subject;
  /** Its feeds' current days, most urgent first; empty: it is the current promise of no feed. */
  current: readonly RowPromise[];
  /** The feeds that it holds for on its next day, or, without one, those of `current`; of a promise for one feed, that feed. */
  feeds: readonly SyncStatusRow[];
  /** Null: not loaded, or no day was counted. */
  month: KeptMonth | null;
};

/**
 * Promises in the order of their list: missed, at risk, then by their next deadline.
 * @param rows current rows of the company
 * @param months by promise; null: not loaded
 */
export function listPromises(
  promises: readonly PromiseView[],
  rows: readonly SyncStatusRow[],
  months: ReadonlyMap<string, KeptMonth> | null,
): ListedPromise[] {
  const rowsByPromise = groupBy(rows, ({ promise }) => promise?.id ?? null);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const nextFeeds = nextFeedsOf(promises, rows);
  return promises
    .map((promise) => {
      const ofPromise = rowsByPromise.get(promise.id) ?? [];
      const own = promise.endpoint_id === null ? undefined : byId.get(promise.endpoint_id);
      return {
        promise,
        subject: subjectOf(promise, own),
        current: ofPromise.flatMap(currentDayOf).toSorted(compareUrgency),
        feeds: own === undefined ? (nextFeeds.get(promise.id) ?? ofPromise) : [own],
        month: months?.get(promise.id) ?? null,
      };
    })
    .toSorted(
      (a, b) =>
        promiseRank(a.current[0]) - promiseRank(b.current[0]) ||
        dueOf(a) - dueOf(b) ||
        compareText(a.subject.partner ?? "", b.subject.partner ?? "") ||
        compareText(a.subject.feed ?? "", b.subject.feed ?? "") ||
        compareText(a.promise.id, b.promise.id),
    );
}

/** The feeds that promises hold for on their next days; a row only tells which promise is current. */
function nextFeedsOf(
  promises: readonly PromiseView[],
  rows: readonly SyncStatusRow[],
): Map<string, SyncStatusRow[]> {
  const plannedOf = plannedFor(promises.flatMap((promise) => nextDayOf(promise) ?? []));
  const found = new Map<string, SyncStatusRow[]>();
  for (const row of rows) {
    const { id, partner_name: partner, status } = row;
    const facts = { partner, status, reported: true, cadenceMs: cadenceOf(row, row.known).ms };
    for (const { deadline, days } of plannedOf({ id, partner })) {
      if (!days.some((day) => canHold(deadline, day, facts))) continue;
      const feeds = found.get(deadline.id);
      if (feeds === undefined) found.set(deadline.id, [row]);
      else feeds.push(row);
    }
  }
  return found;
}

function nextDayOf(promise: PromiseView): PlannedDeadline | null {
  const { id, partner, endpoint_id: endpointId, next } = promise;
  if (next === null) return null;
  const rule = ruleOf(promise);
  const dueMs = Date.parse(next.due_at);
  const day = {
    date: next.date,
    dueMs,
    limitMs: dueMs + rule.allowanceMinutes * MINUTE_MS,
    startMs: Date.parse(next.from_at),
    isStartGiven: true,
  };
  const scope = { partner: endpointId === null ? partner : null, endpointId };
  return {
    deadline: { ...rule, ...scope, id, madeMs: Date.parse(promise.at), endedMs: null },
    days: [day],
  };
}

/** None while the feed is paused and its day isn't over: that is excused, unless the feed is resumed. */
function currentDayOf(row: SyncStatusRow): RowPromise[] {
  const { promise } = row;
  if (promise == null) return [];
  const isOpen = promise.state === "open" || promise.state === "at_risk";
  return isPausedAtSource(row) && isOpen ? [] : [promise];
}

function subjectOf(
  { partner, endpoint_id: id }: PromiseView,
  row: SyncStatusRow | undefined,
): Subject {
  return { partner, feed: row?.endpoint_key ?? id };
}

/**
 * What a promise is for, without a list of them. A request for a feed doesn't name its partner.
 * @param rows current rows of the company
 */
export function subjectIn(
  rows: readonly SyncStatusRow[],
  { partner, endpoint_id: id }: Pick<PromiseRequest, "partner" | "endpoint_id">,
): Subject {
  const row = rows.find((one) => one.id === id);
  return { partner: row?.partner_name ?? partner ?? null, feed: row?.endpoint_key ?? null };
}

/** Promises whose partner, feed or times have all words of a text. */
export function searchPromises(
  listed: readonly ListedPromise[],
  text: string,
): readonly ListedPromise[] {
  const needles = needlesOf(text);
  if (needles.length === 0) return listed;
  return listed.filter((one) => {
    const own = foldText(promiseLabel(one, ""));
    return includesAll(own, needles);
  });
}

/** "Sage 300 commitments", "Sage 300, all feeds", "all feeds" */
export function subjectText({ partner, feed }: Subject, allFeeds: string): string {
  if (partner === null) return feed ?? allFeeds;
  return feed === null ? `${partner}, ${allFeeds}` : `${partner} ${feed}`;
}

/** "Sage 300 commitments, by 16:00 on workdays": a promise in one line, for labels. */
export function promiseLabel(
  { subject, promise }: { subject: Subject; promise: PromisedTimes },
  allFeeds: string,
): string {
  const promised = promisedText(promise);
  return `${subjectText(subject, allFeeds)}${promised === "" ? "" : `, ${promised}`}`;
}

/** The same as a heading: "All feeds, by 16:00 on workdays". Names keep their case. */
export function promiseHeading(
  promise: { subject: Subject; promise: PromisedTimes },
  allFeeds: string,
): string {
  const { partner, feed } = promise.subject;
  const label = promiseLabel(promise, allFeeds);
  return partner === null && feed === null ? capital(label) : label;
}

function dueOf({ current, promise }: ListedPromise): number {
  const due = current[0]?.state === "open" ? current[0].due_at : promise.next?.due_at;
  return due === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(due);
}
