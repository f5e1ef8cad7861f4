import { createHash } from "node:crypto";
import { and, asc, eq, gt, sql } from "drizzle-orm";
import { ActivityFile } from "@/lib/contracts/activity";
import { foldText } from "@/lib/domain/fold-text";
import type { Database, Orm } from "./database";
import { auditActions, auditHeads, auditLog } from "./schema/audit";
import { storable } from "./storable";

/** One row of the log before it has its place in the chain. */
export type AuditEvent = {
  /** An `ACTION_KINDS` word. */
  kind: string;
  /** Ties the rows of one action together, and is no other action's of the company. */
  actionId: string;
  /** The word for the action, a dot, and `asked` for its first row, `outcome` for what came of it. */
  event: string;
  /** Null: Plumbline itself. */
  person: { id: string; name: string; email: string } | null;
  requestId: string | null;
  /** `file` (an `ActivityFile`) or `subject` (words) of what was asked; `outcome` of what came of it. */
  detail: Readonly<Record<string, unknown>>;
};

/** What the first row's hash is made with. */
const FIRST_HASH = "0".repeat(64);
const READ_AT_ONCE = 1_000;

/**
 * Adds rows to a company's log, in order. Everybody who adds to the same log waits for the end of this
 * transaction, so it belongs near the end of one.
 * @param nowMs our clock, epoch milliseconds
 * @param tx a transaction's, together with what the rows are about
 */
export async function appendAudit(
  tx: Orm,
  company: string,
  nowMs: number,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  // Locks the row even where it was there already.
  const [head] = await tx
    .insert(auditHeads)
    .values({ company, seq: 0, hash: FIRST_HASH })
    .onConflictDoUpdate({ target: auditHeads.company, set: { seq: sql`${auditHeads.seq}` } })
    .returning();
  if (head === undefined) throw new Error("the head of the audit log was not written");
  let { seq, hash } = head;
  const at = new Date(nowMs);
  const rows = events.map(({ kind, actionId, event, person, requestId, detail }) => {
    seq += 1;
    const row = {
      company,
      seq,
      at,
      kind,
      actionId,
      event,
      personId: person?.id ?? null,
      personName: person?.name ?? null,
      personEmail: person?.email ?? null,
      requestId,
      // As it will be read again, so that the hash is that of what is stored.
      detail: storable(JSON.parse(JSON.stringify(detail)) as Record<string, unknown>),
    };
    hash = chainHash(hash, row);
    return { ...row, hash };
  });
  await tx.insert(auditLog).values(rows);
  await tx.update(auditHeads).set({ seq, hash }).where(eq(auditHeads.company, company));
  await indexActions(tx, company, rows);
}

/** Keeps `audit_actions` in step with rows that were just added. */
async function indexActions(tx: Orm, company: string, rows: readonly Row[]): Promise<void> {
  const asked = rows.filter(({ event }) => event.endsWith(".asked"));
  if (asked.length > 0) {
    await tx.insert(auditActions).values(
      asked.map(({ actionId, seq, at, personEmail, detail }) => {
        const { data: file } = ActivityFile.safeParse(detail["file"]);
        const { subject } = detail;
        return {
          company,
          actionId,
          seq,
          askedAt: at,
          personEmail,
          fileId: file === undefined ? null : String(file.id),
          searchText: foldText(file?.name ?? (typeof subject === "string" ? subject : "")),
        };
      }),
    );
  }
  // The last one of each.
  const outcomes = new Map(
    rows.flatMap(({ event, actionId, detail: { outcome } }) =>
      event.endsWith(".outcome") && typeof outcome === "string" ? [[actionId, outcome]] : [],
    ),
  );
  if (outcomes.size > 0) {
    await tx.execute(sql`
      update audit_actions set outcome = concluded.outcome
      from unnest(${sql.param([...outcomes.keys()])}::text[], ${sql.param([...outcomes.values()])}::text[])
        as concluded(action_id, outcome)
      where company = ${company} and audit_actions.action_id = concluded.action_id`);
  }
}

/** What a check of one company's chain found. */
export type AuditCheck = {
  company: string;
  /** How many hold, from the first one on. */
  rows: number;
  /** The first thing that is wrong, as a sentence; null: the chain holds. */
  broken: string | null;
};

/**
 * Reads every company's log from its first row and compares each hash with what it should be. All is read
 * as of one moment, so that rows which are added meanwhile do not look like a fault.
 * @returns by company; none that never logged anything
 */
export function checkAudit({ orm }: Pick<Database, "orm">): Promise<AuditCheck[]> {
  return orm.transaction(checkChains, {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

async function checkChains(orm: Orm): Promise<AuditCheck[]> {
  const heads = await orm.select().from(auditHeads).orderBy(asc(auditHeads.company));
  const logged = await orm
    .select({ company: auditLog.company })
    .from(auditLog)
    .groupBy(auditLog.company);
  const headless = logged.filter(({ company }) => !heads.some((head) => head.company === company));
  const checks: AuditCheck[] = [];
  for (const { company, seq, hash } of heads)
    checks.push(await checkChain(orm, company, seq, hash));
  for (const { company } of headless) {
    checks.push({ company, rows: 0, broken: "the head of the chain is missing" });
  }
  return checks.toSorted((a, b) => (a.company < b.company ? -1 : 1));
}

async function checkChain(
  orm: Orm,
  company: string,
  lastSeq: number,
  lastHash: string,
): Promise<AuditCheck> {
  let seq = 0;
  let hash = FIRST_HASH;
  for (;;) {
    const rows = await orm
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.company, company), gt(auditLog.seq, seq)))
      .orderBy(asc(auditLog.seq))
      .limit(READ_AT_ONCE);
    for (const row of rows) {
      if (row.seq !== seq + 1) return { company, rows: seq, broken: `row ${seq + 1} is missing` };
      const expected = chainHash(hash, row);
      if (row.hash !== expected) {
        return { company, rows: seq, broken: `row ${row.seq} is not what was written` };
      }
      seq = row.seq;
      hash = expected;
    }
    if (rows.length < READ_AT_ONCE) break;
  }
  if (seq < lastSeq)
    return { company, rows: seq, broken: `rows ${seq + 1} to ${lastSeq} are missing` };
  if (seq > lastSeq || hash !== lastHash) {
    return { company, rows: seq, broken: "the chain does not end where its head says" };
  }
  return { company, rows: seq, broken: null };
}

type Row = Omit<typeof auditLog.$inferSelect, "hash">;

/** Members in a fixed order, so that the same row always gives the same bytes. */
function chainHash(previous: string, row: Row): string {
  const content = JSON.stringify([
    row.company,
    row.seq,
    row.at.toISOString(),
    row.kind,
    row.actionId,
    row.event,
    row.personId,
    row.personName,
    row.personEmail,
    row.requestId,
    sorted(row.detail),
  ]);
  return createHash("sha256").update(`${previous}\n${content}`).digest("hex");
}

/** jsonb keeps no order of members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
