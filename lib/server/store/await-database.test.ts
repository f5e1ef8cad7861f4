import pino from "pino";
import { expect, test } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { awaitDatabase } from "./await-database";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const refused = () =>
  Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" });

function waiting() {
  const clock = createManualClock(START_MS);
  const stopping = new AbortController();
  const waits: boolean[] = [];
  const lines: { event: string; where: string; reason?: string; waitedSeconds?: number }[] = [];
  const log = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
  const start = (open: () => Promise<string>) =>
    awaitDatabase(
      open,
      { clock, signal: stopping.signal, onWait: (isWaiting) => void waits.push(isWaiting) },
      { where: "10.0.0.5:5432", log },
    );
  return { clock, stopping, waits, lines, start };
}

test("doesn't wait for a database that answers", async () => {
  const { start, waits, lines } = waiting();
  expect(await start(async () => "open")).toBe("open");
  expect(waits).toEqual([]);
  expect(lines).toEqual([]);
});

test("waits for an unreachable database, logging once per reason", async () => {
  const { clock, start, waits, lines } = waiting();
  const failures = [
    refused(),
    refused(),
    Object.assign(new Error("the database system is starting up"), { code: "57P03" }),
  ];
  const opened = start(async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return "open";
  });
  for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
  expect(await opened).toBe("open");
  expect(waits).toEqual([true, false]);
  expect(lines.map(({ event, reason }) => [event, reason])).toEqual([
    ["database_awaited", "connect ECONNREFUSED 10.0.0.5:5432"],
    ["database_awaited", "the database system is starting up"],
    ["database_answered", undefined],
  ]);
  expect(lines[0]?.where).toBe("10.0.0.5:5432");
});

test("logs an unchanged reason once a minute, however many attempts fail", async () => {
  const { clock, start, lines, stopping } = waiting();
  let tries = 0;
  const opened = start(async () => {
    tries += 1;
    throw refused();
  });
  opened.catch(() => {});
  for (let second = 0; second < 180; second += 1) await clock.advance(1_000);
  expect(tries).toBeGreaterThan(30);
  expect(lines).toHaveLength(3);
  stopping.abort();
  await expect(opened).rejects.toThrow("aborted");
});

test("doesn't wait on a wrong password", async () => {
  const { start, waits } = waiting();
  const wrong = Object.assign(new Error("password authentication failed"), { code: "28P01" });
  await expect(start(() => Promise.reject(wrong))).rejects.toBe(wrong);
  expect(waits).toEqual([]);
});

test("stops waiting when the process is stopped", async () => {
  const { start, stopping, clock } = waiting();
  const opened = start(() => Promise.reject(refused()));
  opened.catch(() => {});
  await clock.advance(0);
  stopping.abort();
  await expect(opened).rejects.toThrow("aborted");
});
