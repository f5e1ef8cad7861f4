import { randomUUID } from "node:crypto";
import type { Transaction } from "@/lib/server/store/database";
import { appendAudit, type AuditEvent } from "./append-audit";
import { INSTALLATION } from "./installation-log";

/** The author and time of a change: epoch milliseconds on our clock. `person` null: Plumbline. */
export type Change = {
  person: AuditEvent["person"];
  nowMs: number;
  /** Omitted for changes without a request ID. */
  requestId?: string;
};

/**
 * Writes a change to the audit log in the same transaction. Locks the log until commit.
 * @param event.company slug; null: installation-wide
 * @param event.subject the searchable name of what was changed
 * @param event.detail other facts; never a secret
 */
export function audited(
  tx: Transaction,
  { person, nowMs, requestId }: Change,
  event: {
    company: string | null;
    kind: string;
    action: string;
    subject: string;
    detail?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  const { company, kind, action, subject, detail } = event;
  return appendAudit(tx, company ?? INSTALLATION, nowMs, [
    {
      kind,
      actionId: randomUUID(),
      event: `${action}.asked`,
      person,
      requestId: requestId ?? null,
      detail: { ...detail, subject },
    },
  ]);
}
