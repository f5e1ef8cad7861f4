import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as realTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect } from "vitest";
import type { Fault, FaultOptions } from "@/e2e/upstream/fault";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import type { Outcome } from "@/lib/domain/deletion";
import { createManualClock, eventually, type ManualClock } from "@/lib/server/manual-clock";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";
import {
  brokenPromises,
  deletesOf,
  outcomes,
  START_MS,
  startInstance,
  stateOf,
} from "./deletions-fixture";
import type { Plan } from "./killed.fixture";
import { STEPS, type Step } from "./delete-file";

/**
 * `kill -9` at every step between intent and outcome. `SOAK_REPEATS=20 npx vitest run --project long
 * lib/server/deletions/killed` runs each of them 20 times.
 */
const REPEATS = Number(process.env["SOAK_REPEATS"] ?? "1");
const FILES = sampleFiles(3, START_MS);
/** The second process starts this much later by its clock. */
const RESTART_MS = 120_000;

const test = freshDatabaseTest();
let api: MisbehavingUpstream;
let ending: AbortController;
let nowMs: () => number;
const children: ChildProcessWithoutNullStreams[] = [];
const running: { worker: { stop(): Promise<void> } }[] = [];

beforeEach(async () => {
  nowMs = () => START_MS;
  api = await startMisbehavingUpstream({ files: FILES, nowMs: () => nowMs() });
  ending = new AbortController();
  setMaxListeners(0, ending.signal);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  ending.abort();
  await Promise.all(running.splice(0).map(({ worker }) => worker.stop()));
  await api.close();
});

/** Starts a process that deletes three files and will be killed. */
async function launch(db: TestDatabase, killAt: Plan["killAt"]) {
  const { baseUrl, clientId, clientSecret } = api;
  const plan: Plan = {
    connectionString: db.database.connectionString,
    api: { baseUrl, clientId, clientSecret },
    startMs: START_MS,
    files: FILES,
    killAt,
  };
  const program = testProgram("lib/server/deletions/killed.fixture.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(plan)]);
  children.push(child);
  const exited = once(child, "exit");
  const [id] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { id, child, exited };
}

/** Another process on the same database, as after a restart. */
function restart(db: TestDatabase): ManualClock {
  const clock = createManualClock(START_MS + RESTART_MS);
  nowMs = clock.nowMs;
  const { database } = db;
  running.push(startInstance({ database, clock, api, signal: ending.signal }));
  return clock;
}

async function expectAfterRestart(
  db: TestDatabase,
  id: string,
  second: Outcome,
  deletes: number,
): Promise<void> {
  const before = await outcomes(db.database, id);
  const clock = restart(db);
  await eventually(clock, async () => (await stateOf(db.database, id)) === "done");
  const after = await outcomes(db.database, id);
  expect(after).toEqual(["deleted", second, "deleted"]);
  // Earlier final outcomes are unchanged.
  for (const [index, outcome] of before.entries()) {
    if (outcome !== null && outcome !== "unknown") expect(after[index]).toBe(outcome);
  }
  const sent = deletesOf(api);
  expect(FILES.map((file) => sent.get(file.id) ?? 0)).toEqual([1, deletes, 1]);
  expect(await brokenPromises(db.database, api)).toEqual([]);
}

type Case = {
  /** Fate of the second of three files. */
  when: string;
  fault?: [Fault, FaultOptions];
  step: Step;
  nth: number;
  second: Outcome;
  /** Total DELETEs of it received by upstream. */
  deletes: number;
};
/** Selected by id, because a first file that is held up is sent after the second. */
const SECOND = FILES[1]?.id ?? 0;
const ITS_DELETE: FaultOptions = { method: "DELETE", path: `/schedule_files/${SECOND}`, times: 1 };
const WELL: Pick<Case, "when" | "fault"> = { when: "all goes well" };
const LOST: Pick<Case, "when" | "fault"> = {
  when: "its answer is lost after it was deleted",
  fault: [{ kind: "answer_lost" }, ITS_DELETE],
};
const RESET: Pick<Case, "when" | "fault"> = {
  when: "its DELETE is lost before anything was done",
  fault: [{ kind: "reset" }, ITS_DELETE],
};
const REFUSED: Pick<Case, "when" | "fault"> = {
  when: "its DELETE is refused by a rate limit",
  fault: [{ kind: "rate_limited", seconds: 5 }, ITS_DELETE],
};

const CASES: Case[] = [
  { ...WELL, step: "started", nth: 1, second: "deleted", deletes: 1 },
  { ...WELL, step: "read", nth: 2, second: "deleted", deletes: 1 },
  { ...WELL, step: "ready", nth: 2, second: "deleted", deletes: 1 },
  // It can't be known that it wasn't sent, so it isn't sent again.
  { ...WELL, step: "intended", nth: 2, second: "still_there", deletes: 0 },
  { ...WELL, step: "answered", nth: 2, second: "deleted", deletes: 1 },
  { ...WELL, step: "recorded", nth: 2, second: "deleted", deletes: 1 },
  { ...WELL, step: "recorded", nth: 3, second: "deleted", deletes: 1 },
  { ...LOST, step: "answered", nth: 2, second: "deleted", deletes: 1 },
  { ...LOST, step: "recorded", nth: 2, second: "deleted", deletes: 1 },
  { ...LOST, step: "looked", nth: 1, second: "deleted", deletes: 1 },
  { ...LOST, step: "recorded", nth: 4, second: "deleted", deletes: 1 },
  { ...RESET, step: "answered", nth: 2, second: "still_there", deletes: 1 },
  { ...RESET, step: "looked", nth: 1, second: "still_there", deletes: 1 },
  { ...REFUSED, step: "answered", nth: 2, second: "still_there", deletes: 1 },
  { ...REFUSED, step: "withdrawn", nth: 1, second: "deleted", deletes: 2 },
];
const REPEATED = Array.from({ length: REPEATS }, (_, index) => index + 1);

describe.each(REPEATED)("kill -9, run %i", () => {
  test("covers every step", () => {
    expect(new Set(CASES.map(({ step }) => step))).toEqual(new Set(STEPS));
  });

  test.for(CASES)("recovers from step $step ($nth) when $when", async (given, { db }) => {
    if (given.fault !== undefined) await api.setFault(...given.fault);
    const { id, exited } = await launch(db, { step: given.step, nth: given.nth });
    expect(await exited).toEqual([null, "SIGKILL"]);
    await expectAfterRestart(db, id, given.second, given.deletes);
  });

  test.for([
    ["reached upstream and was executed", "answer_hangs", "deleted"],
    ["reached upstream and was not executed", "hang", "still_there"],
  ] as const)("recovers while a DELETE is in flight that %s", async ([, kind, outcome], { db }) => {
    await api.setFault({ kind }, ITS_DELETE);
    const { id, child, exited } = await launch(db, null);
    while (!deletesOf(api).has(SECOND)) await realTurn(5);
    child.kill("SIGKILL");
    expect(await exited).toEqual([null, "SIGKILL"]);
    await expectAfterRestart(db, id, outcome, 1);
  });

  test("deletes nothing when killed during the undo period", async ({ db }) => {
    const { id, exited } = await launch(db, { step: "accepted", nth: 1 });
    await exited;
    const clock = restart(db);
    await eventually(clock, async () => (await stateOf(db.database, id)) === "expired");
    expect(await outcomes(db.database, id)).toEqual(["expired", "expired", "expired"]);
    expect(deletesOf(api).size).toBe(0);
    expect(await brokenPromises(db.database, api)).toEqual([]);
  });
});
