import { randomUUID } from "node:crypto";
import type { Transaction } from "@/lib/server/store/database";
import { appendAudits, type AuditEvent } from "./append-audit";
import { INSTALLATION } from "./installation-log";

/** The author and time of a change: epoch milliseconds on our clock. `person` null: Plumbline. */
export type Change = {
  person: AuditEvent["person"];
  nowMs: number;
  /** Omitted for changes without a request ID. */
  requestId?: string;
};

/**
 * A changed thing. `company`: slug, null: installation-wide. `subject`: its searchable name. `detail`: other facts; never a
 * secret.
 */
type Changed = {
  company: string | null;
  kind: string;
  action: string;
  subject: string;
  detail?: Readonly<Record<string, unknown>>;
};

/** Writes a change to the audit log in the same transaction. Locks the log until commit. */
export function audited(tx: Transaction, change: Change, event: Changed): Promise<void> {
  return auditedAll(tx, change, [event]);
}

/** The same for several changes, also of different companies. */
export function auditedAll(
  tx: Transaction,
  { person, nowMs, requestId }: Change,
  all: readonly Changed[],
): Promise<void> {
  const eventsOf = new Map<string, AuditEvent[]>();
  for (const { company, kind, action, subject, detail } of all) {
    const log = company ?? INSTALLATION;
    const events = eventsOf.get(log) ?? [];
    eventsOf.set(log, events);
    events.push({
      kind,
      actionId: randomUUID(),
      event: `${action}.asked`,
      person,
      requestId: requestId ?? null,
      detail: { ...detail, subject },
    });
  }
  return appendAudits(tx, nowMs, eventsOf);
}
