import { randomUUID } from "node:crypto";
import type { Transaction } from "@/lib/server/store/database";
import { appendAudit, type AuditEvent } from "./append-audit";

/** The chain of what concerns no single company: no slug can be called so. */
export const HOUSE = "@house";

/** One thing that happened to the house itself: somebody signed in, or was made something. */
export type HouseEvent = Pick<AuditEvent, "person"> & {
  kind: "session" | "person";
  /** One word of ours: `sign-in`, `refuse`, `lock`, `sign-out`, `end`, `invite`, `grant`, `disable`, ... */
  action: string;
  /** Whom or what it is about, as it is found by: usually an e-mail address. */
  subject: string;
  /** Never a secret, nor what somebody typed. */
  detail?: Readonly<Record<string, unknown>>;
};

/**
 * Adds events to the chain of the house, in order; see `appendAudit`.
 * @param nowMs our clock, epoch milliseconds
 */
export async function appendHouse(
  tx: Transaction,
  nowMs: number,
  events: readonly HouseEvent[],
): Promise<void> {
  await appendAudit(
    tx,
    HOUSE,
    nowMs,
    events.map(({ kind, action, person, subject, detail }) => ({
      kind,
      actionId: randomUUID(),
      event: `${action}.asked`,
      person,
      requestId: null,
      detail: { ...detail, subject },
    })),
  );
}
