import { setMaxListeners } from "node:events";
import { setTimeout as realTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import type { Fault } from "@/e2e/upstream/fault";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import { UNDO_MS } from "@/lib/domain/deletion";
import { createLog } from "@/lib/server/log";
import { createManualClock, eventually, type ManualClock } from "@/lib/server/manual-clock";
import { readDeletion } from "@/lib/server/store/deletions/read-deletions";
import { readOpenDeletions } from "@/lib/server/store/deletions/work-on-deletions";
import { stopDeletion, undoDeletion } from "@/lib/server/store/deletions/ask-deletion";
import { upsertFiles } from "@/lib/server/store/files/schedule-files";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import {
  ADA,
  ask,
  auditOf,
  brokenPromises,
  COMPANY,
  deletesOf,
  outcomes,
  START_MS,
  startInstance,
  stateOf,
  untilLeading,
} from "./deletions-fixture";
import type { DeletionWorkerOptions } from "./worker";
import type { Step } from "./delete-file";
import { MINUTE_MS } from "@/lib/domain/time/units";

let clock: ManualClock;
let test: TestDatabase;
let api: MisbehavingUpstream;
let files: ServedScheduleFile[];
let ending: AbortController;
let running: { worker: { stop(): Promise<void> } }[];

beforeEach(async () => {
  clock = createManualClock(START_MS);
  test = await createTestDatabase();
  files = sampleFiles(12, START_MS);
  api = await startMisbehavingUpstream({ files, nowMs: clock.nowMs });
  ending = new AbortController();
  setMaxListeners(0, ending.signal);
  running = [];
});
afterEach(async () => {
  ending.abort();
  await Promise.all(running.map(({ worker }) => worker.stop()));
  await api.close();
  await test.drop();
});

function start(
  more: Partial<DeletionWorkerOptions> = {},
  parts: { companies?: string[]; requestsPerMinute?: number } = {},
) {
  const { database } = test;
  const instance = startInstance({
    database,
    clock,
    api,
    signal: ending.signal,
    // Some requests hang here and should time out quickly.
    answerMs: 1_000,
    more,
    ...parts,
  });
  running.push(instance);
  return instance;
}

/** Accepts a deletion like the process that received the request. */
async function accept(
  { worker }: ReturnType<typeof start>,
  wanted: readonly ServedScheduleFile[],
  company = COMPANY,
): Promise<string> {
  const id = await ask(test.database, clock, wanted, company);
  worker.accept(id);
  return id;
}

const untilState = (id: string, state: string) =>
  eventually(clock, async () => (await stateOf(test.database, id)) === state);
const until = (holds: () => boolean | Promise<boolean>) => eventually(clock, holds);
/** So that later requests aren't among those found at the start. */
const leading = () => untilLeading(test.database, clock);
const file = (id: number) => {
  const found = files.find((each) => each.id === id);
  if (found === undefined) throw new Error(`there is no file ${id}`);
  return found;
};
const reads = (id: number) =>
  api.requests.filter((r) => r.method === "GET" && r.path === `/schedule_files/${id}`).length;
const expectHolds = async () => expect(await brokenPromises(test.database, api)).toEqual([]);

describe("deletion", () => {
  it("sends nothing for ten seconds, then reads the file again, deletes it and logs it", async () => {
    const instance = start();
    await leading();
    await upsertFiles(test.database.orm, COMPANY, files, { scan: 1, requestedMs: 0, nowMs: 1 });
    const id = await accept(instance, [file(3)]);
    await eventually(clock, () => clock.nowMs() >= START_MS + UNDO_MS - 1_000, 100);
    expect(api.requests).toEqual([]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    expect(deletesOf(api)).toEqual(new Map([[3, 1]]));
    expect(reads(3)).toBe(1);
    expect((await auditOf(test.database)).map(({ event, outcome }) => [event, outcome])).toEqual([
      ["delete.asked", null],
      ["delete.sent", null],
      ["delete.outcome", "deleted"],
    ]);
    const { rows } = await test.database.pool.query(
      "select id::int from schedule_files where gone_at is not null",
    );
    expect(rows).toEqual([{ id: 3 }]);
    await expectHolds();
  });

  it("deletes its files in order, one at a time", async () => {
    const instance = start();
    await leading();
    const id = await accept(instance, [file(9), file(2), file(5)]);
    await untilState(id, "done");
    expect([...deletesOf(api).keys()]).toEqual([9, 2, 5]);
    await expectHolds();
  });

  it("treats a file that is already gone as no error", async () => {
    const instance = start();
    await leading();
    api.setFiles(files.filter(({ id }) => id !== 4));
    const id = await accept(instance, [file(4), file(5)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["already_gone", "deleted"]);
    expect(deletesOf(api)).toEqual(new Map([[5, 1]]));
    await expectHolds();
  });

  it("takes a file for gone only when the API says so, not a proxy", async () => {
    await api.setFault({ kind: "html_404" }, { path: "/schedule_files/4", times: 2 });
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    expect(reads(4)).toBe(3);
    await expectHolds();
  });

  it("deletes once when two people request it concurrently, reporting already gone to one", async () => {
    const instance = start();
    await leading();
    const [one, other] = [await accept(instance, [file(4)]), await accept(instance, [file(4)])];
    await untilState(one, "done");
    await untilState(other, "done");
    const both = [
      ...(await outcomes(test.database, one)),
      ...(await outcomes(test.database, other)),
    ];
    expect(new Set(both)).toEqual(new Set(["already_gone", "deleted"]));
    expect(deletesOf(api)).toEqual(new Map([[4, 1]]));
    await expectHolds();
  });

  it("reports already gone when the file disappears between reading and deleting", async () => {
    const instance = start({
      onStep: (step) => {
        if (step === "intended") api.setFiles(files.filter(({ id }) => id !== 4));
      },
    });
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["already_gone"]);
    expect(deletesOf(api)).toEqual(new Map([[4, 1]]));
    await expectHolds();
  });

  const changes: [string, Partial<ServedScheduleFile>][] = [
    ["name", { name: "Something else.xer" }],
    ["baseline mark", { is_baseline: true }],
    ["upload time", { created_at: "2026-01-01T00:00:00Z" }],
    [
      "project",
      { customer_project: { id: 11, name: "Mast", source: "procore", customer_project_id: "M" } },
    ],
  ];
  it.each(changes)("rejects a file whose %s changed since it was confirmed", async (_, change) => {
    const instance = start();
    await leading();
    api.setFiles(files.map((each) => (each.id === 4 ? { ...each, ...change } : each)));
    const id = await accept(instance, [{ ...file(4), is_baseline: false }]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["changed"]);
    expect(deletesOf(api).size).toBe(0);
    await expectHolds();
  });

  it("is forbidden without the delete scope, and sends nothing", async () => {
    api.setScopes(["read:schedule_files", "read:sync_status"]);
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["forbidden"]);
    expect(deletesOf(api).size).toBe(0);
    await expectHolds();
  });

  it("ends as forbidden when upstream forbids it despite the scope", async () => {
    await api.setFault({ kind: "forbidden" }, { method: "DELETE" });
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["forbidden"]);
    await expectHolds();
  });

  it("resends a DELETE rejected for its token, under the same intent", async () => {
    const instance = start({
      onStep: (step) => {
        if (step === "intended") api.revokeTokens();
      },
    });
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    expect(deletesOf(api)).toEqual(new Map([[4, 2]]));
    expect(
      (await auditOf(test.database)).filter(({ event }) => event === "delete.sent"),
    ).toHaveLength(1);
  });
});

describe("lost response", () => {
  const lost: [
    string,
    "answer_lost" | "answer_hangs" | "reset" | "hang" | "error_500" | "html_404",
    string,
  ][] = [
    ["after the delete happened, by a reset", "answer_lost", "deleted"],
    ["after the delete happened, by a timeout", "answer_hangs", "deleted"],
    ["before it happened, by a reset", "reset", "still_there"],
    ["before it happened, by a timeout", "hang", "still_there"],
    ["behind a 500", "error_500", "still_there"],
    ["behind a proxy's 404", "html_404", "still_there"],
  ];
  it.each(lost)(
    "is unknown at first when lost %s, then resolved by reading",
    async (_, kind, settled) => {
      await api.setFault({ kind }, { method: "DELETE", times: 1 });
      const instance = start();
      await leading();
      const id = await accept(instance, [file(4)]);
      await until(async () => (await outcomes(test.database, id))[0] === "unknown");
      const unknown = (await readDeletion(test.database.orm, COMPANY, id))?.files[0];
      const nextLookMs =
        (unknown?.nextLookAt?.getTime() ?? 0) - (unknown?.outcomeAt?.getTime() ?? 0);
      expect(nextLookMs).toBeGreaterThan(0);
      expect(nextLookMs).toBeLessThanOrEqual(5_000);
      await untilState(id, "done");
      expect(await outcomes(test.database, id)).toEqual([settled]);
      expect(deletesOf(api)).toEqual(new Map([[4, 1]]));
      await expectHolds();
    },
  );

  it("stays unknown until a read succeeds, after 15 s, after a minute; never guesses", async () => {
    await api.setFault({ kind: "answer_lost" }, { method: "DELETE", times: 1 });
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    await until(async () => (await outcomes(test.database, id))[0] === "unknown");
    await api.setFault({ kind: "malformed_json" });
    const looks = () => reads(4) - 1;
    const untilLooks = (count: number) => eventually(clock, () => looks() === count, 1_000);
    await untilLooks(1);
    const firstMs = clock.nowMs();
    await untilLooks(2);
    expect(clock.nowMs() - firstMs).toBeGreaterThanOrEqual(14_000);
    await untilLooks(3);
    expect(clock.nowMs() - firstMs).toBeGreaterThanOrEqual(73_000);
    expect(await outcomes(test.database, id)).toEqual(["unknown"]);
    expect(await stateOf(test.database, id)).toBe("running");
    await api.setFault(null);
    await eventually(clock, async () => (await stateOf(test.database, id)) === "done", 5_000);
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    await expectHolds();
  });

  it("doesn't hold up the other files", async () => {
    await api.setFault({ kind: "answer_lost" }, { method: "DELETE", times: 1 });
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4), file(5)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted", "deleted"]);
    const sent = api.requests.map(({ method, path }) => `${method} ${path}`);
    expect(sent.filter((request) => /\/[45]$/.test(request))).toEqual([
      "GET /schedule_files/4",
      "DELETE /schedule_files/4",
      "GET /schedule_files/5",
      "DELETE /schedule_files/5",
      "GET /schedule_files/4",
    ]);
    await expectHolds();
  });
});

describe("when sending is impossible", () => {
  it("waits while upstream can't be read, and continues when it can", async () => {
    const instance = start();
    await leading();
    await api.setFault({ kind: "error_500" });
    const id = await accept(instance, [file(4)]);
    await until(async () => {
      const found = await readDeletion(test.database.orm, COMPANY, id);
      return found?.deletion.waitingUntil != null;
    });
    expect(await outcomes(test.database, id)).toEqual([null]);
    await api.setFault(null);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    expect(deletesOf(api)).toEqual(new Map([[4, 1]]));
    await expectHolds();
  });

  it("withdraws its intent when there was no connection, and retries", async () => {
    let isFirst = true;
    const instance = start({
      onStep: async (step) => {
        if (step === "intended" && isFirst) {
          isFirst = false;
          await api.setFault({ kind: "down" });
          // Until the kept-alive connection is known to be closed, too.
          await realTurn(50);
        }
        if (step === "withdrawn") await api.setFault(null);
      },
    });
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    expect((await auditOf(test.database)).map(({ event }) => event)).toEqual([
      "delete.asked",
      "delete.sent",
      "delete.not-sent",
      "delete.sent",
      "delete.outcome",
    ]);
    await expectHolds();
  });

  it("waits for the end of a 429 in the middle, and records until when", async () => {
    const instance = start();
    await leading();
    await api.setFault(
      { kind: "rate_limited", seconds: 30 },
      { method: "DELETE", after: 3, times: 1 },
    );
    const id = await accept(instance, files.slice(0, 8));
    await until(async () => {
      const found = await readDeletion(test.database.orm, COMPANY, id);
      return found?.deletion.waitingUntil != null;
    });
    const limitedMs = clock.nowMs();
    expect(
      (await outcomes(test.database, id)).filter((outcome) => outcome === "deleted"),
    ).toHaveLength(3);
    const waiting = (await readDeletion(test.database.orm, COMPANY, id))?.deletion.waitingUntil;
    expect((waiting?.getTime() ?? 0) - limitedMs).toBeGreaterThan(20_000);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(Array(8).fill("deleted"));
    expect(clock.nowMs() - limitedMs).toBeGreaterThan(20_000);
    expect([...deletesOf(api).values()]).toEqual([1, 1, 1, 2, 1, 1, 1, 1]);
    await expectHolds();
  });

  it("waits as long as a 503 asks, and longer when each asks to retry in a second", async () => {
    await api.setFault({ kind: "unavailable", seconds: 30 }, { path: "/schedule_files", times: 1 });
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    await until(() => reads(4) === 1);
    await api.setFault({ kind: "unavailable", seconds: 1 }, { path: "/schedule_files" });
    let sinceMs = clock.nowMs();
    await until(() => reads(4) === 2);
    expect(clock.nowMs() - sinceMs).toBeGreaterThanOrEqual(30_000);
    sinceMs = clock.nowMs();
    await eventually(clock, () => clock.nowMs() > sinceMs + 70_000);
    expect(reads(4)).toBe(3);
    await api.setFault(null);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    await expectHolds();
  });

  it("gives up after an hour without progress, and records that the rest was kept", async () => {
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4), file(5)]);
    await api.setFault({ kind: "malformed_json" }, { path: "/schedule_files" });
    await eventually(clock, async () => (await stateOf(test.database, id)) === "done", 5_000);
    expect(await outcomes(test.database, id)).toEqual(["expired", "expired"]);
    expect(clock.nowMs()).toBeGreaterThan(START_MS + 60 * MINUTE_MS);
    expect(api.requests.length).toBeLessThan(100);
    expect(deletesOf(api).size).toBe(0);
    await expectHolds();
  });

  it("doesn't give up because our clock is set ahead", async () => {
    const instance = start();
    await leading();
    await api.setFault({ kind: "malformed_json" }, { path: "/schedule_files" });
    const id = await accept(instance, [file(4)]);
    await until(() => reads(4) === 1);
    clock.jump(2 * 60 * MINUTE_MS);
    await until(() => reads(4) === 3);
    await api.setFault(null);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    await expectHolds();
  });

  it("continues with other files when one can't be read", async () => {
    const instance = start();
    await leading();
    await api.setFault({ kind: "malformed_json" }, { path: "/schedule_files/4" });
    const id = await accept(instance, [file(4), file(5), file(6)]);
    await until(async () => (await outcomes(test.database, id))[2] === "deleted");
    expect(await outcomes(test.database, id)).toEqual([null, "deleted", "deleted"]);
    await api.setFault(null);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted", "deleted", "deleted"]);
    await expectHolds();
  });

  it("stays within the budget, and doesn't delay a single file behind a large deletion", async () => {
    const instance = start({}, { requestsPerMinute: 30 });
    await leading();
    const many = await accept(instance, files.slice(0, 11));
    await until(async () => (await outcomes(test.database, many)).includes("deleted"));
    const one = await accept(instance, [file(1)]);
    const startedMs = clock.nowMs();
    await untilState(one, "done");
    expect(clock.nowMs() - startedMs).toBeLessThan(20_000);
    expect(await stateOf(test.database, many)).toBe("running");
    await untilState(many, "done");
    expect(await outcomes(test.database, many)).toEqual(Array(11).fill("deleted"));
    await expectHolds();
  });
});

describe("undo and stop", () => {
  const by = () => ({ company: COMPANY, by: ADA, requestId: "r", nowMs: clock.nowMs() });

  const stopAll = async () => {
    for (const { id } of await readOpenDeletions(test.database.orm)) {
      await stopDeletion(test.database, { ...by(), id });
    }
  };

  it("sends nothing upstream when undone in time", async () => {
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    await eventually(clock, () => clock.nowMs() > START_MS + 5_000);
    expect(await undoDeletion(test.database, { ...by(), id })).toBe("waiting");
    await eventually(clock, () => clock.nowMs() > START_MS + MINUTE_MS);
    expect(api.requests).toEqual([]);
    expect(await outcomes(test.database, id)).toEqual(["undone"]);
    expect(await stateOf(test.database, id)).toBe("undone");
    await expectHolds();
  });

  it("either undoes everything or comes too late when racing with the start", async () => {
    const instance = start();
    await leading();
    for (const wanted of files.slice(0, 6)) {
      const id = await accept(instance, [wanted]);
      const startMs = clock.nowMs();
      await eventually(clock, () => clock.nowMs() >= startMs + UNDO_MS - 200, 100);
      const [before] = await Promise.all([
        undoDeletion(test.database, { ...by(), id }),
        clock.advance(1_100),
      ]);
      await until(async () =>
        ["undone", "done"].includes((await stateOf(test.database, id)) ?? ""),
      );
      const isUndone = before === "waiting";
      expect(await outcomes(test.database, id)).toEqual([isUndone ? "undone" : "deleted"]);
      expect(deletesOf(api).get(wanted.id) ?? 0).toBe(isUndone ? 0 : 1);
    }
    await expectHolds();
  });

  it("finishes the current file and keeps the others when stopped", async () => {
    const steps: Step[] = [];
    const instance = start({
      onStep: async (step) => {
        steps.push(step);
        if (steps.filter((each) => each === "intended").length !== 3 || step !== "intended") return;
        await stopAll();
      },
    });
    await leading();
    const id = await accept(instance, files.slice(0, 8));
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual([
      ...Array<string>(3).fill("deleted"),
      ...Array<string>(5).fill("undone"),
    ]);
    expect(deletesOf(api).size).toBe(3);
    await expectHolds();
  });

  it("keeps the current file as well when its DELETE is rejected during a stop", async () => {
    await api.setFault({ kind: "rate_limited" }, { method: "DELETE", times: 1 });
    const instance = start({
      onStep: async (step) => {
        if (step !== "intended") return;
        await stopAll();
      },
    });
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["undone"]);
    await expectHolds();
  });
});

describe("restart", () => {
  it("deletes nothing within the ten seconds, and logs it", async () => {
    const id = await ask(test.database, clock, [file(4), file(5)]);
    await clock.advance(3_000);
    start();
    await untilState(id, "expired");
    await eventually(clock, () => clock.nowMs() > START_MS + MINUTE_MS);
    expect(await outcomes(test.database, id)).toEqual(["expired", "expired"]);
    expect(api.requests).toEqual([]);
    await expectHolds();
  });

  it("drops what was waiting weeks ago", async () => {
    const id = await ask(test.database, clock, [file(4)]);
    clock.jump(20 * 86_400_000);
    start();
    await untilState(id, "expired");
    expect(api.requests).toEqual([]);
    await expectHolds();
  });

  it("lets the DELETE in flight complete and starts no other", async () => {
    const stopped: Promise<void>[] = [];
    const instance = start({
      onStep: (step) => {
        if (step === "answered") stopped.push(instance.worker.stop());
      },
    });
    await leading();
    const id = await accept(instance, [file(4), file(5)]);
    await until(() => stopped.length > 0);
    await Promise.all(stopped);
    expect(await outcomes(test.database, id)).toEqual(["deleted", null]);
    expect(deletesOf(api)).toEqual(new Map([[4, 1]]));

    start();
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted", "deleted"]);
    await expectHolds();
  });
});

describe("loss of leadership between an intent and its DELETE", () => {
  it("sends nothing, and the next leader deletes the file", async () => {
    const stopped: Promise<void>[] = [];
    const instance = start({
      onStep: (step) => {
        if (step === "intended") stopped.push(instance.worker.stop());
      },
    });
    await leading();
    const id = await accept(instance, [file(4), file(5)]);
    await until(() => stopped.length > 0);
    await Promise.all(stopped);
    expect(await outcomes(test.database, id)).toEqual([null, null]);
    expect(deletesOf(api)).toEqual(new Map());

    start();
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted", "deleted"]);
    expect(deletesOf(api)).toEqual(
      new Map([
        [4, 1],
        [5, 1],
      ]),
    );
    await expectHolds();
  });

  it("sends nothing once another process leads, even without being notified", async () => {
    let isReplaced = false;
    const instance = start({
      onStep: async (step) => {
        if (step !== "intended" || isReplaced) return;
        isReplaced = true;
        await test.database.pool.query("update leads set term = gen_random_uuid()");
      },
    });
    await leading();
    const id = await accept(instance, [file(4)]);
    await untilState(id, "done");
    expect(deletesOf(api)).toEqual(new Map([[4, 1]]));
    expect((await auditOf(test.database)).map(({ event, outcome }) => outcome ?? event)).toEqual([
      "delete.asked",
      "delete.sent",
      "delete.not-sent",
      "delete.sent",
      "deleted",
    ]);
    await expectHolds();
  });

  it("sends nothing when the next leader has treated it as sent, and keeps its outcome", async () => {
    let goOn = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let isHeld = false;
    const one = start({
      onStep: async (step) => {
        if (step !== "intended" || isHeld) return;
        isHeld = true;
        await held;
      },
    });
    await leading();
    const id = await accept(one, [file(4)]);
    await until(() => isHeld);
    // As when PostgreSQL ends the session of a leader without heartbeats.
    await test.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plumbline deletions'",
    );
    start();
    await until(async () => (await outcomes(test.database, id))[0] === "unknown");
    goOn();
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["still_there"]);
    expect(deletesOf(api)).toEqual(new Map());
    await expectHolds();
  });
});

describe("several processes", () => {
  it("delete once, whichever accepted it", async () => {
    const [one, other] = [start(), start()];
    await leading();
    const ids = [await accept(one, [file(4)]), await accept(other, [file(5)])];
    for (const id of ids) await untilState(id, "done");
    expect(deletesOf(api)).toEqual(
      new Map([
        [4, 1],
        [5, 1],
      ]),
    );
    await expectHolds();
  });

  it("take over from one that stops, and continue its work", async () => {
    const first = start();
    await leading();
    const id = await accept(first, files.slice(0, 8));
    await until(async () => (await outcomes(test.database, id)).includes("deleted"));
    start();
    await first.worker.stop();
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(Array(8).fill("deleted"));
    expect([...deletesOf(api).values()]).toEqual(Array(8).fill(1));
    await expectHolds();
  });

  it("separate companies, so that none waits for another's upstream", async () => {
    const instance = start({}, { companies: [COMPANY, "harbour"] });
    await leading();
    await api.setFault({ kind: "answer_hangs" }, { path: "/schedule_files/4", times: 1 });
    const slow = await accept(instance, [file(4)]);
    const quick = await accept(instance, [file(5)], "harbour");
    await until(async () => (await stateOf(test.database, quick, "harbour")) === "done");
    await untilState(slow, "done");
    expect(await outcomes(test.database, quick, "harbour")).toEqual(["deleted"]);
    await expectHolds();
  });
});

describe("failures on our side", () => {
  it("doesn't start a deletion left waiting by an earlier leader that can't be dropped at first", async () => {
    const first = start();
    await leading();
    const id = await accept(first, [file(4)]);
    await first.worker.stop();
    await test.asOwner(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'index is corrupt'; end $$;
      create trigger refuse before update on deletions for each row execute function refuse()`);
    const lines: string[] = [];
    start({ log: createLog("warn", { write: (line) => void lines.push(line) }) });
    await until(() => lines.length > 0);
    await test.asOwner("drop trigger refuse on deletions");
    await until(async () => ["done", "expired"].includes((await stateOf(test.database, id)) ?? ""));
    expect(await outcomes(test.database, id)).toEqual(["expired"]);
    expect(deletesOf(api)).toEqual(new Map());
  });

  it("sends nothing without an intent when the database becomes unavailable", async () => {
    let isLeaving = false;
    let isAway = false;
    const instance = start({
      onStep: async (step) => {
        if (step !== "ready" || isLeaving) return;
        isLeaving = true;
        await test.asOwner("alter table audit_log rename to audit_log_away");
        isAway = true;
      },
    });
    await leading();
    const id = await accept(instance, [file(4)]);
    await until(() => isAway);
    const goneMs = clock.nowMs();
    await eventually(clock, () => clock.nowMs() > goneMs + 5_000);
    expect(deletesOf(api).size).toBe(0);
    await test.asOwner("alter table audit_log_away rename to audit_log");
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    expect(deletesOf(api)).toEqual(new Map([[4, 1]]));
    await expectHolds();
  });

  it("logs once that nothing can be recorded of a company, and doesn't ask its upstream each second", async () => {
    const lines: string[] = [];
    const log = createLog("warn", { write: (line) => void lines.push(line) });
    const instance = start({ log }, { companies: [COMPANY, "harbour"] });
    await leading();
    await test.asOwner(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'index is corrupt'; end $$;
      create trigger refuse before insert on audit_log for each row when (new.company = '${COMPANY}'
        and new.event = 'delete.sent') execute function refuse()`);
    const id = await accept(instance, [file(4)]);
    await until(() => reads(4) > 0);
    const sinceMs = clock.nowMs();
    const others = await accept(instance, [file(5)], "harbour");
    await until(async () => (await stateOf(test.database, others, "harbour")) === "done");
    await eventually(clock, () => clock.nowMs() > sinceMs + MINUTE_MS);
    expect(reads(4)).toBe(4);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { company: COMPANY, msg: "a deletion is held up" },
    ]);
    await test.asOwner("drop trigger refuse on audit_log");
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    await expectHolds();
  });

  it("starts other companies' deletions while one's can't be started", async () => {
    const instance = start({}, { companies: [COMPANY, "harbour"] });
    await leading();
    await test.asOwner(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'index is corrupt'; end $$;
      create trigger refuse before update on deletions for each row when (old.company = '${COMPANY}')
        execute function refuse()`);
    const id = await accept(instance, [file(4)]);
    const others = await accept(instance, [file(5)], "harbour");
    await until(async () => (await stateOf(test.database, others, "harbour")) === "done");
    expect(await stateOf(test.database, id)).toBe("waiting");
    await test.asOwner("drop trigger refuse on deletions");
    await untilState(id, "done");
    await expectHolds();
  });

  it("resolves an outcome that couldn't be written by reading", async () => {
    let isLeaving = false;
    let isAway = false;
    const instance = start({
      onStep: async (step) => {
        if (step !== "answered" || isLeaving) return;
        isLeaving = true;
        await test.asOwner("alter table audit_log rename to audit_log_away");
        isAway = true;
      },
    });
    await leading();
    const id = await accept(instance, [file(4)]);
    await until(() => isAway);
    await eventually(clock, () => clock.nowMs() > START_MS + 15_000);
    expect(await outcomes(test.database, id)).toEqual([null]);
    await test.asOwner("alter table audit_log_away rename to audit_log");
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    expect(deletesOf(api)).toEqual(new Map([[4, 1]]));
    await expectHolds();
  });

  it("waits while the disk is nearly full", async () => {
    let isLow = true;
    const instance = start({ disk: { isLow: () => Promise.resolve(isLow) } });
    await leading();
    const id = await accept(instance, [file(4)]);
    await eventually(clock, () => clock.nowMs() > START_MS + 30_000);
    expect(api.requests).toEqual([]);
    isLow = false;
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
    await expectHolds();
  });

  it.each<[string, Fault, string]>([
    ["to look for a lost outcome", { kind: "answer_lost" }, "deleted"],
    ["to send again", { kind: "rate_limited", seconds: 30 }, "deleted"],
  ])("doesn't wait a day %s when the clock is set back", async (_, fault, settled) => {
    await api.setFault(fault, { method: "DELETE", times: 1 });
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    const isWaiting = async () => {
      const found = (await readDeletion(test.database.orm, COMPANY, id))?.files[0];
      return (found?.nextLookAt ?? null) !== null;
    };
    await until(isWaiting);
    clock.jump(-24 * 60 * MINUTE_MS);
    const untilMs = clock.monotonicMs() + 5 * MINUTE_MS;
    await until(
      async () => clock.monotonicMs() > untilMs || (await stateOf(test.database, id)) === "done",
    );
    expect(await outcomes(test.database, id)).toEqual([settled]);
    await expectHolds();
  });

  it("keeps the full ten seconds when the clock jumps ahead", async () => {
    const instance = start();
    await leading();
    const id = await accept(instance, [file(4)]);
    clock.jump(3_600_000);
    await eventually(clock, () => clock.monotonicMs() > 9_000, 100);
    expect(api.requests).toEqual([]);
    await untilState(id, "done");
    expect(await outcomes(test.database, id)).toEqual(["deleted"]);
  });
});
