import type { Clock } from "./clock";

/** Companies viewed recently on any instance. Their requests take precedence in the queue. */
export type RecentlyViewed = {
  /** Records that a company was requested from this process. */
  add(company: string): void;
  /**
   * Records a request to another instance.
   * @param company payload of the NOTIFY channel `attention`; null: notifications may have been missed
   */
  receive: (company: string | null) => void;
  /** Whether the company was requested on any instance within the last five minutes. */
  has(company: string): boolean;
};

/** An open page sends several requests in this time. */
const LASTS_MS = 5 * 60_000;
/** Interval of notifications to other instances: several per `LASTS_MS`, in case one is lost. */
const NOTIFY_EVERY_MS = 60_000;

/**
 * Stores two timestamps per company, without a bound: callers must pass only companies that exist.
 * @param options.onLook called when the other instances are to be notified of a company, at most once a minute for each
 */
export function createRecentlyViewed({
  clock,
  onLook = () => {},
}: {
  clock: Pick<Clock, "monotonicMs">;
  onLook?: (company: string) => void;
}): RecentlyViewed {
  const lastMs = new Map<string, number>();
  const notifiedMs = new Map<string, number>();
  return {
    add(company) {
      const nowMs = clock.monotonicMs();
      lastMs.set(company, nowMs);
      if (nowMs - (notifiedMs.get(company) ?? Number.NEGATIVE_INFINITY) < NOTIFY_EVERY_MS) return;
      notifiedMs.set(company, nowMs);
      onLook(company);
    },
    receive(company) {
      if (company !== null) lastMs.set(company, clock.monotonicMs());
    },
    has(company) {
      const atMs = lastMs.get(company);
      return atMs !== undefined && clock.monotonicMs() - atMs < LASTS_MS;
    },
  };
}
