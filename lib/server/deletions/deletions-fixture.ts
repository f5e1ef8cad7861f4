import { randomUUID } from "node:crypto";
import pino from "pino";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import { isFinal, UNDO_MS, type Outcome } from "@/lib/domain/deletion";
import { eventually, type ManualClock } from "@/lib/server/manual-clock";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import type { Database } from "@/lib/server/store/database";
import { insertDeletion } from "@/lib/server/store/deletions/ask-deletion";
import { readDeletion } from "@/lib/server/store/deletions/read-deletions";
import { createUpstream } from "@/lib/server/upstream/client";
import { HTTP_LIMITS } from "@/lib/server/upstream/http";
import type { Connection, Upstream } from "@/lib/server/upstream/upstream";
import { createDeletionWorker, type DeletionWorkerOptions } from "./worker";

export const START_MS = Date.parse("2026-03-02T12:00:00Z");
export const COMPANY = "northgate";
export const ADA = { id: randomUUID(), name: "Ada", email: "ada@example.com" };

/** On a busy machine a response may be late, and timing out would change the order of files. */
const PATIENT_MS = 60_000;

/** Databases on which a leader has checked for due work. */
const lookedAt = new WeakSet<Database>();

/** Starts what one process runs to delete. Ends with `signal`. */
export function startInstance(parts: {
  database: Database;
  clock: ManualClock;
  api: Pick<Connection, "baseUrl" | "clientId" | "clientSecret">;
  signal: AbortSignal;
  companies?: readonly string[];
  requestsPerMinute?: number;
  /** Response timeout in real time, like sockets; long unless a timeout is wanted. */
  answerMs?: number;
  more?: Partial<DeletionWorkerOptions>;
}) {
  const { database, clock, api, signal, companies = [COMPANY] } = parts;
  const disk = parts.more?.disk ?? { isLow: () => Promise.resolve(false) };
  const { baseUrl, clientId, clientSecret } = api;
  const log = pino({ level: "silent" });
  const upstreams = new Map(
    companies.map((company): [string, Upstream] => [
      company,
      createUpstream({
        connection: { baseUrl, clientId, clientSecret, company, name: company },
        clock,
        random: () => 0,
        log,
        database,
        requestsPerMinute: parts.requestsPerMinute ?? 6_000,
        tokenRequestsPerMinute: 1_000,
        pollSeconds: 60,
        signal,
        databaseNowMs: clock.nowMs,
        limits: { ...HTTP_LIMITS, wholeMs: parts.answerMs ?? PATIENT_MS },
      }),
    ]),
  );
  const worker = createDeletionWorker({
    database,
    clock,
    random: () => 0.5,
    log,
    upstreams,
    ...parts.more,
    disk: {
      // The last call before a check starts due work.
      isLow() {
        lookedAt.add(database);
        return disk.isLow();
      },
    },
  });
  worker.start();
  return { worker, upstreams };
}

/** Requests a deletion of files, like the operation does. */
export async function ask(
  database: Database,
  clock: ManualClock,
  files: readonly ServedScheduleFile[],
  company = COMPANY,
): Promise<string> {
  const inserted = await insertDeletion(database, {
    company,
    person: ADA,
    idempotencyKey: randomUUID(),
    bodyHash: "",
    requestId: randomUUID(),
    nowMs: clock.nowMs(),
    undoUntilMs: clock.nowMs() + UNDO_MS,
    files: files.map(
      ({ id: fileId, name, is_baseline, created_at, customer_project, file_type }) => ({
        confirmed: { id: fileId, name, is_baseline, created_at, customer_project },
        fileType: file_type,
        project: customer_project?.name ?? null,
      }),
    ),
    mostOpen: Number.POSITIVE_INFINITY,
  });
  if (typeof inserted === "string") throw new Error(`it was not taken on: ${inserted}`);
  return inserted.id;
}

/**
 * Waits until a worker of this process leads and has made its first check, which drops what was waiting: later
 * requests aren't affected.
 */
export function untilLeading(database: Database, clock: ManualClock): Promise<void> {
  return eventually(clock, async () => lookedAt.has(database));
}

/** Current outcomes of a deletion's files. */
export async function outcomes(
  database: Database,
  id: string,
  company = COMPANY,
): Promise<(Outcome | null)[]> {
  const found = await readDeletion(database.orm, company, id);
  return found?.files.map(({ outcome }) => outcome) ?? [];
}

export async function stateOf(database: Database, id: string, company = COMPANY) {
  return (await readDeletion(database.orm, company, id))?.deletion.state;
}

/** Requests received by an upstream. */
type Received = { requests: readonly { method: string; path: string }[] };

/** DELETEs received by the upstream, by file. */
export function deletesOf({ requests }: Received): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { method, path } of requests) {
    const id = Number(/^\/schedule_files\/(\d+)$/.exec(path)?.[1]);
    if (method === "DELETE") counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

type LoggedEvent = { file_id: number; action_id: string; event: string; outcome: Outcome | null };

/** The audit log of deletions, in order. */
export async function auditOf(database: Pick<Database, "pool">): Promise<LoggedEvent[]> {
  const { rows } = await database.pool.query<LoggedEvent>(
    `select i.file_id::int as file_id, a.action_id, a.event, a.detail ->> 'outcome' as outcome
     from audit_log a join deletion_items i
       on i.company = a.company and a.action_id = i.deletion_id || '/' || i.position
     order by a.company, a.seq`,
  );
  return rows;
}

/**
 * Violations of the invariant that every upstream DELETE has an earlier durable intent, and every intent
 * exactly one outcome; empty: none. For finished deletions.
 */
export async function brokenPromises(database: Database, api: Received): Promise<string[]> {
  const broken = await brokenIntents(database, api);
  for (const check of await checkAudit(database, { keys: TEST_KEYS.known })) {
    if (check.broken !== null) broken.push(`audit log of ${check.company}: ${check.broken}`);
  }
  return broken;
}

/** Same, without verifying the log's signatures. */
export async function brokenIntents(
  database: Pick<Database, "pool">,
  api: Received,
): Promise<string[]> {
  const events = await auditOf(database);
  const broken: string[] = [];
  for (const [fileId, deletes] of deletesOf(api)) {
    const intents = events.filter((e) => e.file_id === fileId && e.event === "delete.sent").length;
    if (deletes > intents) broken.push(`${deletes} DELETEs of ${fileId}, ${intents} intents`);
  }
  for (const actionId of new Set(events.map(({ action_id: id }) => id))) {
    const its = events.filter(({ action_id: id }) => id === actionId);
    const count = (event: string) => its.filter((e) => e.event === event).length;
    const finals = its.filter((e) => isFinal(e.outcome));
    // Withdrawn intents are over; at most one of the others may exist.
    const standing = count("delete.sent") - count("delete.not-sent");
    if (standing > 1) broken.push(`${actionId}: ${standing} intents stand`);
    if (finals.length !== 1) broken.push(`${actionId}: ${finals.length} final outcomes`);
    if (its.at(-1) !== finals[0]) broken.push(`${actionId}: goes on after its outcome`);
  }
  return broken;
}
