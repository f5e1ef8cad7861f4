import { eq, sql } from "drizzle-orm";
import { ActivityFile } from "@/lib/contracts/activity";
import { foldText } from "@/lib/domain/text/fold-text";
import { FIRST_HASH, hashOf, type ChainRow } from "./chain";
import type { Transaction } from "@/lib/server/store/database";
import { auditActions, auditHeads, auditLog } from "@/lib/server/store/schema/audit";
import { toStorable } from "@/lib/server/store/storable";

/** A row to append to the log, before it is numbered and signed. */
export type AuditEvent = {
  /** One of `ACTION_KINDS`. */
  kind: string;
  /** Groups the rows of one action; unique per action within the company. */
  actionId: string;
  /** The action, a dot, and `asked` for its first row or `outcome` for its result. */
  event: string;
  /** Null: Plumbline itself. */
  person: { id: string; name: string; email: string } | null;
  requestId: string | null;
  /** `file` (an `ActivityFile`) or `subject` (text) of a request; `outcome` of a result. */
  detail: Readonly<Record<string, unknown>>;
};

/**
 * Appends signed rows to a company's log, in order. Locks the log until the transaction ends, so call it late.
 * @param nowMs our clock, epoch milliseconds
 * @param tx the transaction that also makes the logged change
 */
export async function appendAudit(
  tx: Transaction,
  company: string,
  nowMs: number,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { current, known } = tx.audit.keys();
  // The no-op update locks an existing row.
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
      // Normalised as it will be read back, so that the hash matches what is stored.
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

/** Search index entry of an action; derived from its first row, whose event ends in `.asked`. */
export function indexOf({ company, actionId, seq, at, personEmail, detail }: ChainRow) {
  const { data: file } = ActivityFile.safeParse(detail["file"]);
  const { subject } = detail;
  return {
    company,
    actionId,
    seq,
    requestedAt: at,
    personEmail,
    fileId: file === undefined ? null : String(file.id),
    searchText: foldText(file?.name ?? (typeof subject === "string" ? subject : "")),
  };
}

/** Whether a row is the first of an action. */
export const isRequestEvent = ({ event }: Pick<ChainRow, "event">) => event.endsWith(".asked");

/** Updates `audit_actions` for rows that were just appended. */
async function indexActions(
  tx: Transaction,
  company: string,
  rows: readonly ChainRow[],
): Promise<void> {
  const requests = rows.filter(isRequestEvent);
  if (requests.length > 0) await tx.insert(auditActions).values(requests.map(indexOf));
  // The last outcome per action.
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
