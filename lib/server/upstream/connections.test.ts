import { expect, test } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createConnections } from "./connections";
import type { Connection, Upstream } from "./upstream";

const of = (company: string, more: Partial<Connection> = {}): Connection => ({
  company,
  name: company,
  baseUrl: "https://api.example/api/v3",
  clientId: company,
  clientSecret: "s",
  ...more,
});

function start(first: readonly Connection[]) {
  const clock = createManualClock(0);
  const stopping = new AbortController();
  const opened: { connection: Connection; closing: AbortSignal; signal: AbortSignal }[] = [];
  const connections = createConnections({
    first,
    clock,
    signal: stopping.signal,
    open(connection, ends) {
      opened.push({ connection, ...ends });
      return { connection } as Upstream;
    },
  });
  return { clock, connections, opened, stopping };
}

test("opens and closes only what changed", async () => {
  const { clock, connections, opened } = start([of("a"), of("b"), of("c"), of("d")]);
  const before = new Map(connections.upstreams);
  const lists: string[][] = [];
  connections.onChange(() =>
    lists.push(connections.current().map(({ connection }) => connection.company)),
  );
  const changes = connections.replace([
    of("e", { baseUrl: "https://other.example/api/v3" }),
    of("b", { name: "Bee" }),
    of("c", { clientSecret: "new" }),
    of("d"),
  ]);
  expect(changes).toEqual({ added: ["e"], removed: ["a"], changed: ["c"], renamed: ["b"] });
  expect(lists).toEqual([["e", "b", "c", "d"]]);
  expect([...connections.upstreams.keys()].toSorted()).toEqual(["b", "c", "d", "e"]);
  expect(connections.upstreams.get("b")).toBe(before.get("b"));
  expect(connections.upstreams.get("d")).toBe(before.get("d"));
  expect(connections.upstreams.get("c")).not.toBe(before.get("c"));
  expect(connections.list().map(({ name }) => name)).toEqual(["e", "Bee", "c", "d"]);
  expect(connections.atHost("https://api.example")).toEqual(["b", "c", "d"]);
  expect(connections.atHost("https://other.example")).toEqual(["e"]);
  expect(connections.atHost("https://nowhere.example")).toEqual([]);

  const states = () =>
    opened.map(({ connection, closing, signal }) => [
      connection.company,
      closing.aborted,
      signal.aborted,
    ]);
  // Requests in flight have time to complete.
  expect(states().slice(0, 4)).toEqual([
    ["a", true, false],
    ["b", false, false],
    ["c", true, false],
    ["d", false, false],
  ]);
  await clock.advance(10_000);
  expect(states()).toEqual([
    ["a", true, true],
    ["b", false, false],
    ["c", true, true],
    ["d", false, false],
    ["e", false, false],
    ["c", false, false],
  ]);
});

test("ends all upstreams with the process, and opens a returning company again", () => {
  const { connections, opened, stopping } = start([of("a")]);
  connections.replace([]);
  expect(connections.current()).toEqual([]);
  connections.replace([of("a")]);
  expect(opened).toHaveLength(2);
  stopping.abort();
  expect(opened.map(({ signal }) => signal.aborted)).toEqual([true, true]);
});
