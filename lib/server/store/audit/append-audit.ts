import { sql } from "drizzle-orm";
import { ActivityFile } from "@/lib/contracts/activity";
import { foldText } from "@/lib/domain/text/fold-text";
import { FIRST_HASH, hashOf, type ChainRow } from "./chain";
import { batches } from "@/lib/server/store/batches";
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
export function appendAudit(
  tx: Transaction,
  company: string,
  nowMs: number,
  events: readonly AuditEvent[],
): Promise<void> {
  return appendAudits(tx, nowMs, new Map([[company, events]]));
}

/** The same for the logs of several companies, in a few statements; the logs are locked in the order of their slugs. */
export async function appendAudits(
  tx: Transaction,
  nowMs: number,
  eventsOf: ReadonlyMap<string, readonly AuditEvent[]>,
): Promise<void> {
  const companies = [...eventsOf]
    .flatMap(([company, events]) => (events.length > 0 ? company : []))
    .toSorted();
  for (const some of batches(companies)) await appendTo(tx, some, { nowMs, eventsOf });
}

async function appendTo(
  tx: Transaction,
  companies: readonly string[],
  { nowMs, eventsOf }: { nowMs: number; eventsOf: ReadonlyMap<string, readonly AuditEvent[]> },
): Promise<void> {
  // The no-op update locks an existing row.
  const heads = await tx
    .insert(auditHeads)
    .values(companies.map((company) => ({ company, seq: 0, hash: FIRST_HASH })))
    .onConflictDoUpdate({ target: auditHeads.company, set: { seq: sql`${auditHeads.seq}` } })
    .returning();
  if (heads.length < companies.length) throw new Error("the head of the audit log was not written");
  const signed = heads.map((head) => signedRows(tx, head, nowMs, eventsOf.get(head.company) ?? []));
  const rows = signed.flat();
  for (const batch of batches(rows)) await tx.insert(auditLog).values(batch);
  const last = signed.flatMap((own) => own.at(-1) ?? []);
  await tx
    .update(auditHeads)
    .set({ seq: sql`appended.seq`, hash: sql`appended.hash` })
    .from(
      sql`unnest(${sql.param(last.map(({ company }) => company))}::text[],
        ${sql.param(last.map(({ seq }) => seq))}::bigint[],
        ${sql.param(last.map(({ hash }) => hash))}::text[]) as appended(company, seq, hash)`,
    )
    .where(sql`${auditHeads.company} = appended.company`);
  await indexActions(tx, rows);
  tx.audit.added(rows);
}

/** A company's rows, each signed with the one before. */
function signedRows(
  tx: Transaction,
  { company, ...head }: typeof auditHeads.$inferSelect,
  nowMs: number,
  events: readonly AuditEvent[],
) {
  const { current, known } = tx.audit.keys();
  let { seq, hash } = head;
  const at = new Date(nowMs);
  return events.map(({ kind, actionId, event, person, requestId, detail }) => {
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
    const mark = hashOf(hash, row, known);
    if (mark === null) throw new Error("the key of the audit log is not among those known");
    hash = mark;
    return { ...row, hash };
  });
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
async function indexActions(tx: Transaction, rows: readonly ChainRow[]): Promise<void> {
  for (const requests of batches(rows.filter(isRequestEvent)))
    await tx.insert(auditActions).values(requests.map(indexOf));
  // The last outcome per action.
  const outcomes = new Map(
    rows.flatMap(({ company, event, actionId, detail: { outcome } }) =>
      event.endsWith(".outcome") && typeof outcome === "string"
        ? [[`${company} ${actionId}`, { company, actionId, outcome }] as const]
        : [],
    ),
  );
  if (outcomes.size > 0) {
    const concluded = [...outcomes.values()];
    await tx.execute(sql`
      update audit_actions set outcome = concluded.outcome
      from unnest(${sql.param(concluded.map(({ company }) => company))}::text[],
        ${sql.param(concluded.map(({ actionId }) => actionId))}::text[],
        ${sql.param(concluded.map(({ outcome }) => outcome))}::text[]) as concluded(company, action_id, outcome)
      where audit_actions.company = concluded.company and audit_actions.action_id = concluded.action_id`);
  }
}
