import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Transaction } from "@/lib/server/store/database";
import { auditLog } from "@/lib/server/store/schema/audit";
import { FIRST_HASH, hashOf, UNSIGNED } from "./chain";
import type { Head } from "./check-audit";
import { readHeadFile, writeHeadFile } from "./head-file";
import type { AuditKeys } from "./keys";

/** Records the heads of all audit logs outside the database: in a file and in our log. */
export type AuditHeads = {
  /** Records rows appended by any process, now or after the recording in progress. Never throws. */
  wake(): void;
  /** Resolves when all recordings requested by `wake` have finished. */
  settled(): Promise<void>;
  /** Records what is left and logs what hasn't been logged yet. */
  stop(): Promise<void>;
};

/** Interval between log lines for the same company. */
const TELL_EVERY_MS = 1_000;
/** Interval for picking up other instances' rows and retrying failures. */
const LOOK_EVERY_MS = 60_000;

/**
 * Starts recording heads. A recorded head only moves forward, to a signed row that continues from the recorded
 * one: the head of a truncated or replaced log stays where it was, for `npm run audit:verify` to find.
 * @param file absolute; created if missing
 */
export function createAuditHeads(parts: {
  database: Pick<Database, "orm">;
  keys: AuditKeys;
  file: string;
  clock: Clock;
  log: Log;
}): AuditHeads {
  const { database, keys, file, clock, log } = parts;
  const stopping = new AbortController();
  let isDue = false;
  let isFailing = false;
  let running: Promise<void> | null = null;
  /** Heads as last recorded, or as last attempted. */
  let latest: ReadonlyMap<string, Head> = new Map();
  /** Heads not logged yet, and the last row logged per company. */
  const pending = new Map<string, Head>();
  const publishedSeq = new Map<string, number>();
  let telling: Promise<void> | null = null;
  /** Companies already reported as not continuing from the recorded head. */
  const suspect = new Set<string>();

  function wake(): void {
    isDue = true;
    running ??= work();
  }

  async function work(): Promise<void> {
    while (isDue) {
      isDue = false;
      try {
        await record();
        isFailing = false;
      } catch (err) {
        if (!isFailing) log.error({ err, file }, "the head of the audit log was not recorded");
        isFailing = true;
      }
    }
    running = null;
  }

  function record(): Promise<void> {
    return database.orm.transaction(async (tx) => {
      await lockUntilCommit(tx, LOCKS.auditHeads);
      // Heads are logged even if the file can't be read.
      const [recorded, unreadable] = await readHeadFile(file).then(
        (found): [ReadonlyMap<string, Head>, null] => [found ?? new Map(), null],
        (error: unknown): [ReadonlyMap<string, Head>, unknown] => [latest, error],
      );
      const moved = await readMoves(tx, recorded);
      for (const [company, head] of moved) {
        if ((publishedSeq.get(company) ?? 0) < head.seq) pending.set(company, head);
      }
      if (pending.size > 0) telling ??= tell();
      latest = new Map([...recorded, ...moved]);
      if (unreadable !== null) throw unreadable;
      if (moved.size === 0) return;
      await writeHeadFile(file, latest, async () => {
        // A process that stalled for long has lost its transaction, and the lock with it.
        await tx.execute(sql`select 1`);
      });
    });
  }

  /** Heads that are ahead of the recorded ones. */
  async function readMoves(
    tx: Transaction,
    recorded: ReadonlyMap<string, Head>,
  ): Promise<Map<string, Head>> {
    const { rows: ends } = await tx.execute<{ company: string; seq: string | null }>(sql`
      select company, (select max(seq) from audit_log where audit_log.company = audit_heads.company) as seq
      from audit_heads`);
    const seqOf = new Map(ends.map(({ company, seq }) => [company, Number(seq)]));
    for (const [company, { seq }] of recorded) {
      if ((seqOf.get(company) ?? 0) < seq) suspectOf(company, seq);
    }
    const moved = new Map<string, Head>();
    for (const [company, seq] of seqOf) {
      const before = recorded.get(company) ?? { seq: 0, hash: FIRST_HASH };
      if (seq <= before.seq) continue;
      const rows = await tx
        .select()
        .from(auditLog)
        .where(
          and(eq(auditLog.company, company), inArray(auditLog.seq, [before.seq, seq - 1, seq])),
        );
      const at = (place: number) =>
        place === 0 ? FIRST_HASH : rows.find((row) => row.seq === place)?.hash;
      const last = rows.find((row) => row.seq === seq);
      const previous = at(seq - 1);
      const expected =
        last === undefined || previous === undefined
          ? undefined
          : hashOf(previous, last, keys.known);
      // Unknown key: signed by another instance after AUTH_SECRET changed, which records it. Unsigned: any
      // client with write access could have added it.
      if (expected === null || last?.keyId === UNSIGNED) continue;
      if (expected === undefined || expected !== last?.hash || at(before.seq) !== before.hash) {
        suspectOf(company, before.seq);
        continue;
      }
      moved.set(company, { seq, hash: expected });
      suspect.delete(company);
    }
    return moved;
  }

  function suspectOf(company: string, seq: number): void {
    if (suspect.has(company)) return;
    suspect.add(company);
    log.error(
      { company, seq, file },
      "the audit log does not continue from the row recorded in its head file; run npm run audit:verify",
    );
  }

  async function tell(): Promise<void> {
    while (pending.size > 0) {
      for (const [company, { seq, hash }] of pending) {
        log.info({ company, seq, hash }, "audit head");
        publishedSeq.set(company, seq);
      }
      pending.clear();
      await clock.sleep(TELL_EVERY_MS, stopping.signal).catch(() => {});
    }
    telling = null;
  }

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake();
      await clock.sleep(LOOK_EVERY_MS, stopping.signal).catch(() => {});
    }
  }
  const looking = look();

  return {
    wake,
    settled: async () => void (await running),
    async stop() {
      stopping.abort();
      await looking;
      await running;
      await telling;
    },
  };
}
