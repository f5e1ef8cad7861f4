import { and, eq, sql } from "drizzle-orm";
import { appendAudit } from "./append-audit";
import { UNSIGNED } from "./chain";
import type { Database, Orm } from "@/lib/server/store/database";
import { auditHeads, auditLog } from "@/lib/server/store/schema/audit";
import type { AuditKeys } from "./keys";

/**
 * Appends a row under the current key to every log whose last row is unsigned or signed with another key: from
 * then on, earlier rows can't be rewritten using older keys. Call at each start.
 * @param nowMs our clock, epoch milliseconds
 * @returns whether a log ended with a row signed with a key that isn't known here, that of another AUTH_SECRET
 */
export async function sealAudit(
  { orm }: Pick<Database, "orm">,
  { current, known }: AuditKeys,
  nowMs: number,
): Promise<boolean> {
  const heads = await orm
    .select({ company: auditHeads.company, keyId: auditLog.keyId })
    .from(auditHeads)
    .leftJoin(auditLog, isLast)
    .where(sql`${auditLog.keyId} is distinct from ${current.id}`);
  for (const { company } of heads) {
    await orm.transaction(async (tx) => {
      // Instances that start at once take turns.
      const [last] = await lockLast(tx, company);
      if (last === undefined || last.keyId === current.id) return;
      const { seq, hash, keyId } = last;
      await appendAudit(tx, company, nowMs, [
        {
          kind: "log",
          actionId: `seal/${seq}`,
          event: "log.sealed",
          person: null,
          requestId: null,
          detail: { rows: seq, hash, key_id: keyId },
        },
      ]);
    });
  }
  return heads.some(({ keyId }) => keyId !== null && keyId !== UNSIGNED && !known.has(keyId));
}

const isLast = and(eq(auditLog.company, auditHeads.company), eq(auditLog.seq, auditHeads.seq));

function lockLast(tx: Pick<Orm, "select">, company: string) {
  return tx
    .select({ seq: auditHeads.seq, hash: auditHeads.hash, keyId: auditLog.keyId })
    .from(auditHeads)
    .leftJoin(auditLog, isLast)
    .where(eq(auditHeads.company, company))
    .for("update", { of: auditHeads });
}
