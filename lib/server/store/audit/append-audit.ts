import { eq, sql } from "drizzle-orm";
import { ActivityFile } from "@/lib/contracts/activity";
import { foldText } from "@/lib/domain/text/fold-text";
import { FIRST_HASH, hashOf, type ChainRow } from "./chain";
import type { Transaction } from "@/lib/server/store/database";
import { auditActions, auditHeads, auditLog } from "@/lib/server/store/schema/audit";
import { toStorable } from "@/lib/server/store/storable";

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

/**
 * Adds signed rows to a company's log, in order. Everybody who adds to the same log waits for the end of this
 * transaction, so it belongs near the end of one.
 * @param nowMs our clock, epoch milliseconds
 * @param tx holds what the rows are about, too
 */
export async function appendAudit(
  tx: Transaction,
  company: string,
  nowMs: number,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { current, known } = tx.audit.keys();
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
      detail: toStorable(JSON.parse(JSON.stringify(detail)) as Record<string, unknown>),
      keyId: current.id,
    };
    const signed = hashOf(hash, row, known);
    if (signed === null) throw new Error("the key of the audit log is not among those known");
    hash = signed;
    return { ...row, hash };
  });
  await tx.insert(auditLog).values(rows);
  await tx.update(auditHeads).set({ seq, hash }).where(eq(auditHeads.company, company));
  await indexActions(tx, company, rows);
  tx.audit.added();
}

/** What a search finds an action by: follows from its first row, the one whose event ends in `.asked`. */
export function indexOf({ company, actionId, seq, at, personEmail, detail }: ChainRow) {
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
}

/** Whether a row is the first of an action. */
export const isAsked = ({ event }: Pick<ChainRow, "event">) => event.endsWith(".asked");

/** Keeps `audit_actions` in step with rows that were just added. */
async function indexActions(
  tx: Transaction,
  company: string,
  rows: readonly ChainRow[],
): Promise<void> {
  const asked = rows.filter(isAsked);
  if (asked.length > 0) await tx.insert(auditActions).values(asked.map(indexOf));
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
