import { expect, test } from "vitest";
import { answerLanes } from "./one-at-a-time";

/** Lanes with computations that finish when the matching function in `ends` is called. */
function slowly() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const inLane = answerLanes<string>("test");
  const owner = {};
  const ask = (lane: string, key: string) =>
    inLane(owner, lane, key, async () => {
      begun.push(`${lane} ${key}`);
      const made = `${key} ${begun.length}`;
      await new Promise<void>((resolve) => void ends.push(resolve));
      return made;
    });
  const until = async (count: number) => {
    while (ends.length < count) await new Promise(setImmediate);
  };
  return { begun, ends, ask, until };
}

test("runs computations of one lane sequentially, and those of different lanes concurrently", async () => {
  const { begun, ends, ask, until } = slowly();
  const results = [ask("a", "x"), ask("a", "y"), ask("b", "x")];
  await until(2);
  expect(begun).toEqual(["a x", "b x"]);
  ends[0]?.();
  await until(3);
  expect(begun.at(-1)).toBe("a y");
  for (const end of ends) end();
  expect(await Promise.all(results)).toEqual(["x 1", "y 3", "x 2"]);
});

test("shares a queued computation, but not a running one", async () => {
  const { begun, ends, ask, until } = slowly();
  const first = ask("a", "x");
  await until(1);
  const others = Array.from({ length: 99 }, () => ask("a", "x"));
  ends[0]?.();
  await until(2);
  ends[1]?.();
  expect(await first).toBe("x 1");
  expect(new Set(await Promise.all(others))).toEqual(new Set(["x 2"]));
  expect(begun).toHaveLength(2);
});

test("rejects a failed computation for all its callers, and continues with the next", async () => {
  const inLane = answerLanes<string>("test");
  const owner = {};
  const fails = inLane(owner, "a", "x", () => Promise.reject(new Error("away")));
  const next = inLane(owner, "a", "y", async () => "made");
  await expect(fails).rejects.toThrow("away");
  expect(await next).toBe("made");
});
