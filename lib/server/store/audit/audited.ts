import { randomUUID } from "node:crypto";
import type { Transaction } from "@/lib/server/store/database";
import { appendAudit, type AuditEvent } from "./append-audit";
import { HOUSE } from "./house";

/** Who changes something, and when: epoch milliseconds on our clock. `person` null: Plumbline. */
export type Change = {
  person: AuditEvent["person"];
  nowMs: number;
  /** Left out: it was no request of its own. */
  requestId?: string;
};

/**
 * Writes a change to the audit log in the transaction that makes it. Everyone else who writes to the same log waits
 * for the end of that transaction.
 * @param event.company its slug; null: it concerns no single company
 * @param event.subject what was changed, as a search finds it
 * @param event.detail what else is known; never a secret
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
  return appendAudit(tx, company ?? HOUSE, nowMs, [
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
