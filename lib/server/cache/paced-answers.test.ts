import { beforeEach, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { pacedAnswers } from "./paced-answers";

const paced = pacedAnswers<string>("test", { most: 10, mostOfEach: 10, holdsMs: 10_000 });
let clock: ManualClock;
let owner: object;
beforeEach(() => {
  clock = createManualClock(0);
  owner = {};
});

/** Asks for a response that is only computed once `end` is called. */
function ask(key = "a") {
  let end: (answer: string) => void = () => expect.unreachable("is not computed");
  const answer = paced(
    { owner, clock },
    "northgate",
    key,
    () => new Promise<string>((resolve) => (end = resolve)),
  );
  return { answer, end: (text: string) => end(text) };
}

test("all callers share a computation, however long it takes", async () => {
  const first = ask();
  await clock.advance(60_000);
  const second = ask();
  first.end("first");
  expect(await Promise.all([first.answer, second.answer])).toEqual(["first", "first"]);
});

test("the next computation starts no sooner than ten seconds after the last one ended", async () => {
  const first = ask();
  await clock.advance(60_000);
  first.end("first");
  await first.answer;
  await clock.advance(9_999);
  expect(await ask().answer).toBe("first");
  await clock.advance(1);
  const next = ask();
  next.end("next");
  expect(await next.answer).toBe("next");
});

test("a failed computation is repeated at the next call", async () => {
  const fail = () => Promise.reject(new Error("away"));
  await expect(paced({ owner, clock }, "northgate", "a", fail)).rejects.toThrow("away");
  const next = ask();
  next.end("next");
  expect(await next.answer).toBe("next");
});

test("other keys are computed at the same time", async () => {
  const [one, other] = [ask("a"), ask("b")];
  other.end("b");
  one.end("a");
  expect(await Promise.all([one.answer, other.answer])).toEqual(["a", "b"]);
});
