import type { PromiseDay } from "@/lib/domain/delivery/plan-promises";
import { isBlindNow, type Visibility } from "@/lib/domain/delivery/visibility";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Clock } from "@/lib/server/clock";
import type { LastChecks } from "@/lib/server/store/delivery/delivery-facts";

/** For this long after a change, a company has messages that become due without another one: edits and waits. */
const UNSETTLED_MS = MINUTE_MS;

/** Which companies have messages that may have become due without another check: few, so that the others aren't read. */
export function createUnsettled({
  clock,
  visibilityOf,
}: {
  clock: Clock;
  visibilityOf: (company: string) => Visibility | null;
}): {
  /**
   * Those of which something changed lately besides checks, that can't be seen, or that have a promise at risk.
   * @param marks see `readMarks`
   */
  among(
    connected: readonly string[],
    marks: ReadonlyMap<string, string>,
    checks: ReadonlyMap<string, LastChecks>,
  ): string[];
  /** Remembers a company's promises. */
  note(company: string, promises: readonly PromiseDay[]): void;
} {
  /** What `readMarks` said, and since when, on the monotonic clock. */
  const known = new Map<string, { mark: string | undefined; sinceMs: number }>();
  const atRisk = new Set<string>();
  return {
    among(connected, marks, checks) {
      const atMs = clock.monotonicMs();
      return connected.filter((company) => {
        const mark = marks.get(company);
        const before = known.get(company);
        const isSame = before !== undefined && before.mark === mark;
        if (!isSame) known.set(company, { mark, sinceMs: atMs });
        if (!isSame || atMs - before.sinceMs <= UNSETTLED_MS || atRisk.has(company)) return true;
        const { observedMs = -Infinity } = checks.get(company) ?? {};
        return isBlindNow(visibilityOf(company), observedMs, clock.nowMs());
      });
    },
    note(company, promises) {
      if (promises.some(isOpenRisk)) atRisk.add(company);
      else atRisk.delete(company);
    },
  };
}

const isOpenRisk = ({ isClosed, risks }: PromiseDay) =>
  !isClosed && risks.some(({ untilMs }) => untilMs === null);
