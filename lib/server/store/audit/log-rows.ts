import type { Log } from "@/lib/server/log";
import type { SignedRow } from "./chain";

/**
 * Writes rows of the audit log to the log, a line each, so that what collects the log has them outside of the database,
 * with the hashes that `npm run audit:verify` compares. Rows hold no secrets.
 */
export function logRows(log: Pick<Log, "info">, rows: readonly SignedRow[]): void {
  for (const row of rows) {
    const { company, seq, at, kind, event, actionId, requestId, detail, keyId, hash } = row;
    const { personId, personName, personEmail } = row;
    const person =
      personId === null ? null : { id: personId, name: personName, email: personEmail };
    const audit = {
      company,
      seq,
      at: at.toISOString(),
      kind,
      event,
      person,
      action_id: actionId,
      request_id: requestId,
      detail,
      key_id: keyId,
      hash,
    };
    log.info({ audit }, "audit row");
  }
}
