import { compareText } from "@/lib/domain/text/compare-text";
import { createHash, createHmac } from "node:crypto";
import type { auditLog } from "@/lib/server/store/schema/audit";

/** A row of the log before signing; `keyId` names the signing key, or is `UNSIGNED`. */
export type ChainRow = Omit<typeof auditLog.$inferSelect, "hash">;

/** A row as it stands in the log. */
export type SignedRow = ChainRow & { hash: string };

/** Previous hash of the first row. */
export const FIRST_HASH = "0".repeat(64);
/** Key id in rows from versions without signing keys. */
export const UNSIGNED = "none";

/**
 * Hash of a row, chained to the previous row's hash, so that the last one authenticates all rows.
 * @param keys secrets by id
 * @returns hex; null: the row's key is unknown
 */
export function hashOf(
  previous: string,
  row: ChainRow,
  keys: ReadonlyMap<string, Buffer>,
): string | null {
  const { keyId } = row;
  if (keyId === UNSIGNED) {
    return createHash("sha256")
      .update(`${previous}\n${contentOf(row)}`)
      .digest("hex");
  }
  const secret = keys.get(keyId);
  if (secret === undefined) return null;
  return createHmac("sha256", secret)
    .update(`${keyId}\n${previous}\n${contentOf(row)}`)
    .digest("hex");
}

/** Members in a fixed order, so that the same row always gives the same bytes. */
function contentOf(row: ChainRow): string {
  return JSON.stringify([
    row.company,
    row.seq,
    row.at.toISOString(),
    row.kind,
    row.actionId,
    row.event,
    row.personId,
    row.personName,
    row.personEmail,
    row.requestId,
    sorted(row.detail),
  ]);
}

/** jsonb doesn't preserve the order of members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
