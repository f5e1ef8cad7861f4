import type { Plan } from "./plan";
import type { Outcome } from "./simulation";

/** What a run of a plan came to. */
export type Result = Pick<Outcome, "broken" | "simulatedMs">;

const MINUTE_MS = 60_000;

/**
 * Finds a smaller plan that breaks the same invariant: fewer minutes, faults, companies and feeds. None of the smaller
 * steps from it breaks it any more, unless `mostRuns` ended the search.
 * @param failed what `plan` came to
 * @param options.faults how many faults were drawn
 * @param options.mostRuns how often `play` may be called
 * @param options.onStep called with each smaller plan that was found
 */
export async function shrink(
  plan: Plan,
  failed: Result,
  options: {
    play: (plan: Plan) => Promise<Result>;
    faults: number;
    mostRuns: number;
    onStep?: (plan: Plan) => void;
  },
): Promise<Plan> {
  const { play, mostRuns, onStep = () => {} } = options;
  let runs = 0;
  let smallest = upTo(plan, failed);
  const isOver = () => runs >= mostRuns;

  /** @returns whether it breaks the same invariant, and is the smallest now */
  async function tryIt(smaller: Plan): Promise<boolean> {
    if (isOver()) return false;
    runs += 1;
    const result = await play(smaller);
    if (result.broken?.invariant !== failed.broken?.invariant) return false;
    smallest = upTo(smaller, result);
    onStep(smallest);
    return true;
  }

  /** Leaves out halves, then quarters, down to single ones, of what the plan is limited to. */
  async function leaveOut(of: "onlyFaults" | "onlyCompanies", all: number): Promise<boolean> {
    const least = of === "onlyCompanies" ? 1 : 0;
    let isSmaller = false;
    let size = Math.ceil(kept().length / 2);
    while (size >= 1) {
      for (let at = 0; at < kept().length && kept().length > least;) {
        const rest = kept().toSpliced(at, size);
        if (rest.length >= least && (await tryIt({ ...smallest, [of]: rest }))) isSmaller = true;
        else at += size;
      }
      size = size === 1 ? 0 : Math.ceil(size / 2);
    }
    return isSmaller;

    function kept(): readonly number[] {
      return smallest[of] ?? Array.from({ length: all }, (_, at) => at);
    }
  }

  async function fewerFeeds(): Promise<boolean> {
    let isSmaller = false;
    while (
      smallest.feedsEach > 1 &&
      (await tryIt({ ...smallest, feedsEach: Math.ceil(smallest.feedsEach / 2) }))
    )
      isSmaller = true;
    return isSmaller;
  }

  let isSmaller = true;
  while (isSmaller && !isOver()) {
    isSmaller = await leaveOut("onlyFaults", options.faults);
    isSmaller = (await leaveOut("onlyCompanies", plan.companies)) || isSmaller;
    isSmaller = (await fewerFeeds()) || isSmaller;
  }
  return smallest;
}

/** Ends with the minute in which it broke. */
function upTo(plan: Plan, { simulatedMs }: Result): Plan {
  const minutes = Math.ceil(simulatedMs / MINUTE_MS);
  return { ...plan, minutes: Math.min(minutes, plan.minutes ?? Infinity) };
}
