import { LRUCache } from "lru-cache";
import { readyJson, type ReadyJson } from "@/lib/server/http/ready-json";
import { sharedState } from "@/lib/server/shared-state";

/** Data of a response; `untilMs`: until when it stays the same if nothing but time passes, epoch milliseconds. */
export type TimedData = { data: object; untilMs: number };

/**
 * Caches JSON responses until what they are made of changes, or time changes them.
 * @param name unique in the process; responses are stored with their owner under this name
 * @param mostBytes maximum size of all responses of an owner; the least recently used ones are evicted first
 * @returns a function; `of`: what the response depends on besides the time, compared by identity; `nowMs`: epoch
 *   milliseconds. An unchanged response remains the same object, with its derived forms such as a compressed body
 */
export function timedAnswers(name: string, mostBytes: number) {
  type Made = { ready: ReadyJson; of: readonly unknown[]; fromMs: number; untilMs: number };

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
      () =>
        new LRUCache<string, Made>({
          maxSize: mostBytes,
          sizeCalculation: ({ ready: { whole } }, id) => (whole.body?.length ?? 0) + id.length + 1,
        }),
    );
    const before = answers.get(key);
    const isCurrent =
      before !== undefined &&
      before.fromMs <= nowMs &&
      nowMs < before.untilMs &&
      of.length === before.of.length &&
      of.every((one, at) => one === before.of[at]);
    if (isCurrent) return before.ready;
    const { data, untilMs } = make();
    const made = readyJson(JSON.stringify(data), "private, no-cache");
    const ready = made.etag === before?.ready.etag ? before.ready : made;
    answers.set(key, { ready, of, fromMs: nowMs, untilMs });
    return ready;
  };
}
