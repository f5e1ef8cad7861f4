import { compareText } from "@/lib/domain/text/compare-text";
import { createHash, createHmac } from "node:crypto";
import type { auditLog } from "@/lib/server/store/schema/audit";

/** A row of the log before it is signed; `keyId` is `UNSIGNED`, or names the key it is signed with. */
export type ChainRow = Omit<typeof auditLog.$inferSelect, "hash">;

/** What the first row's hash is made with. */
export const FIRST_HASH = "0".repeat(64);
/** In the rows of versions that had no key. */
export const UNSIGNED = "none";

/**
 * A row's hash: over the hash of the row before, so that the last one vouches for all of them.
 * @param keys secrets by id
 * @returns hex; null: the row's key is not known
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

/** jsonb keeps no order of members. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
