import { randomUUID } from "node:crypto";
import type { Transaction } from "@/lib/server/store/database";
import { counted } from "@/lib/domain/words/format";
import { appendAudit, type AuditEvent } from "./append-audit";

/** The chain of what concerns no single company: no slug can be called so. */
export const HOUSE = "@house";

/** One thing that happened to the house itself: somebody signed in, or was made something. */
export type HouseEvent = Pick<AuditEvent, "person"> & {
  kind: "session" | "person" | "channel" | "rule" | "pause";
  /** One word of ours: `sign-in`, `refuse`, `lock`, `sign-out`, `end`, `invite`, `grant`, `disable`, ... */
  action: string;
  /** Whom or what it is about, as it is found by: usually an e-mail address. */
  subject: string;
  /** Never a secret, nor what somebody typed. */
  detail?: Readonly<Record<string, unknown>>;
};

/**
 * Sessions of somebody that were ended before their time: the same facts, whoever ended them.
 * @param ended.by null: nobody here did
 * @param ended.whom whose they were
 * @param ended.browsers of each of them, where that is known
 * @param ended.because in words, where who ended them does not say it
 */
export function sessionsEnded(ended: {
  by: HouseEvent["person"];
  whom: { id: string; name: string; email: string };
  sessions: number;
  browsers?: readonly string[];
  because?: string;
}): HouseEvent {
  const { by, whom, sessions, browsers = [], because } = ended;
  return {
    kind: "session",
    action: "end-sessions",
    person: by,
    subject: whom.email || whom.name,
    detail: {
      person: whom.id,
      sessions,
      // Each once, and no more of them than a person reads.
      browsers: [...new Set(browsers)].slice(0, 20),
      because: [counted(sessions, "session"), ...(because === undefined ? [] : [because])].join(
        ", ",
      ),
    },
  };
}

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
