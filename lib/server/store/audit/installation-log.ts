import { randomUUID } from "node:crypto";
import type { Transaction } from "@/lib/server/store/database";
import { counted } from "@/lib/domain/words/format";
import { appendAudit, type AuditEvent } from "./append-audit";

/** The installation-wide chain, for what concerns no single company. Stored. Not a valid slug. */
export const INSTALLATION = "@house";

/** An installation-wide event, such as a sign-in or a new grant. */
export type InstallationEvent = Pick<AuditEvent, "person"> & {
  kind: "session" | "person" | "channel" | "rule" | "pause";
  /** Name of the action: `sign-in`, `refuse`, `lock`, `sign-out`, `end`, `invite`, `grant`, `disable`, ... */
  action: string;
  /** What it is about, in the form to search for: usually an e-mail address. */
  subject: string;
  /** Never contains a secret or user input. */
  detail?: Readonly<Record<string, unknown>>;
};

/** Event for sessions that were ended early; the same facts whatever ended them. */
export function sessionsEnded(ended: {
  by: InstallationEvent["person"];
  whom: { id: string; name: string; email: string };
  sessions: number;
  browsers?: readonly string[];
  because?: string;
}): InstallationEvent {
  const { by, whom, sessions, browsers = [], because } = ended;
  return {
    kind: "session",
    action: "end-sessions",
    person: by,
    subject: whom.email || whom.name,
    detail: {
      person: whom.id,
      sessions,
      // Distinct, and limited to what is readable.
      browsers: [...new Set(browsers)].slice(0, 20),
      because: [counted(sessions, "session"), ...(because === undefined ? [] : [because])].join(
        ", ",
      ),
    },
  };
}

/**
 * Appends events to the installation-wide chain, in order; see `appendAudit`.
 * @param nowMs our clock, epoch milliseconds
 */
export async function appendInstallationEvents(
  tx: Transaction,
  nowMs: number,
  events: readonly InstallationEvent[],
): Promise<void> {
  await appendAudit(
    tx,
    INSTALLATION,
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
