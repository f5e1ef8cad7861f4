/** A computation that can pause at each `yield`, so that a long one doesn't keep other work waiting. */
export type Steps<T> = Generator<void, T, void>;

/** Maps items one at a time, with a pause after each. */
export function* mapSteps<T, U>(items: Iterable<T>, map: (item: T) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    mapped.push(map(item));
    yield;
  }
  return mapped;
}

/** Visits items one at a time, with a pause after each. */
export function* eachStep<T>(items: Iterable<T>, visit: (item: T) => void): Steps<void> {
  for (const item of items) {
    visit(item);
    yield;
  }
}

/** Completes a computation without pauses. */
export function completed<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
