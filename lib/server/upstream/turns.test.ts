import { expect, test } from "vitest";
import { createTurns } from "./turns";

/** Takes turns and records their order; `end` ends one. */
function queue() {
  const turns = createTurns();
  const came: string[] = [];
  const ends = new Map<string, () => void>();
  const names = new Map<string, object>();
  const whoIs = (name: string) => {
    const who = names.get(name) ?? {};
    names.set(name, who);
    return who;
  };
  const take = async (name: string, rank: () => number, signal?: AbortSignal) => {
    ends.set(name, await turns.take(whoIs(name), rank, signal));
    came.push(name);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { turns, came, take, end, ahead: (name: string) => turns.ahead(whoIs(name)) };
}

test("lets one through at a time, in order of arrival", async () => {
  const { came, take, end, ahead } = queue();
  await take("a", () => 1);
  void take("b", () => 1);
  void take("c", () => 1);
  expect(["a", "b", "c", "d"].map(ahead)).toEqual([0, 1, 2, 0]);
  await end("a");
  expect(came).toEqual(["a", "b"]);
  await end("b");
  await end("c");
  expect(came).toEqual(["a", "b", "c"]);
});

test("lets the most urgent one through first, ranked when the turn is free", async () => {
  const { turns, came, take, end, ahead } = queue();
  let rankOfC = 3;
  await take("a", () => 1);
  void take("b", () => 2);
  void take("c", () => rankOfC);
  expect(["b", "c"].map(ahead)).toEqual([1, 2]);
  expect(turns.isOvertaken(1)).toBe(false);
  rankOfC = 0;
  expect(["b", "c"].map(ahead)).toEqual([2, 1]);
  expect(turns.isOvertaken(1)).toBe(true);
  await end("a");
  expect(came).toEqual(["a", "c"]);
});

test("lets only one through when a turn is ended twice", async () => {
  const { came, take, end } = queue();
  await take("a", () => 1);
  void take("b", () => 1);
  void take("c", () => 1);
  await end("a");
  await end("a");
  expect(came).toEqual(["a", "b"]);
});

test("removes a waiter that aborts", async () => {
  const { turns, came, take, end } = queue();
  const stopping = new AbortController();
  await take("a", () => 1);
  const b = take("b", () => 1, stopping.signal);
  void take("c", () => 1);
  stopping.abort(new Error("stopping"));
  await expect(b).rejects.toThrow("stopping");
  await expect(turns.take({}, () => 1, stopping.signal)).rejects.toThrow("stopping");
  await end("a");
  expect(came).toEqual(["a", "c"]);
});
