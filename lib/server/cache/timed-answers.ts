import { LRUCache } from "lru-cache";
import { readyJson, type ReadyJson } from "@/lib/server/http/ready-json";
import { sharedState } from "@/lib/server/shared-state";

/** Data of a response; `untilMs`: until when it stays the same if nothing but time passes, epoch milliseconds. */
export type TimedData = { data: object; untilMs: number };

/** Size of a reference to a part in memory, bytes; about. */
const PART_BYTES = 64;

/** Doesn't keep outdated data in memory: entries that are never requested again stay until they are evicted. */
const refer = (part: unknown) =>
  typeof part === "object" && part !== null ? new WeakRef(part) : part;
const isOf = (one: unknown, part: unknown) => (one instanceof WeakRef ? one.deref() : one) === part;

/**
 * Caches JSON responses until what they are made of changes, or time changes them.
 * @param name unique in the process; responses are stored with their owner under this name
 * @param mostBytes maximum size of all responses of an owner; the least recently used ones are evicted first
 * @returns a function; `of`: what the response depends on besides the time, compared by identity; `nowMs`: epoch
 *   milliseconds. An unchanged response remains the same object, with its derived forms such as a compressed body
 */
export function timedAnswers(name: string, mostBytes: number) {
  type Made = { ready: ReadyJson; of: readonly unknown[]; fromMs: number; untilMs: number };
  const sizeOf = ({ ready: { whole }, of }: Made, key: string) =>
    (whole.body?.length ?? 0) + of.length * PART_BYTES + key.length + 1;

  return function timed(
    owner: object,
    key: string,
    of: readonly unknown[],
    nowMs: number,
    make: () => TimedData,
  ): ReadyJson {
    const answers = sharedState(
      owner,
      `timed answers: ${name}`,
      () => new LRUCache<string, Made>({ maxSize: mostBytes, sizeCalculation: sizeOf }),
    );
    const before = answers.get(key);
    const isCurrent =
      before !== undefined &&
      before.fromMs <= nowMs &&
      nowMs < before.untilMs &&
      of.length === before.of.length &&
      of.every((part, at) => isOf(before.of[at], part));
    if (isCurrent) return before.ready;
    const { data, untilMs } = make();
    const made = readyJson(JSON.stringify(data), "private, no-cache");
    const ready = made.etag === before?.ready.etag ? before.ready : made;
    answers.set(key, { ready, of: of.map(refer), fromMs: nowMs, untilMs });
    return ready;
  };
}
