/** Encrypts and decrypts, such as a `Seal`. */
export type Resealing = {
  close(text: string): string;
  open(sealed: string): string | null;
  isCurrent(sealed: string): boolean;
};

/**
 * Number of values re-encrypted, already encrypted with the current secret, and undecryptable with any known
 * secret.
 */
export type Resealed = { resealed: number; current: number; lost: number };

/**
 * Re-encrypts values one after another.
 * @param write stores a re-encrypted value unless it has changed meanwhile
 */
export async function resealAll<Row extends { sealed: string }>(
  rows: readonly Row[],
  sealOf: (row: Row) => Resealing | null,
  write: (row: Row, sealed: string) => Promise<void>,
): Promise<Resealed> {
  const counts = { resealed: 0, current: 0, lost: 0 };
  for (const row of rows) {
    const seal = sealOf(row);
    if (seal?.isCurrent(row.sealed) === true) {
      counts.current += 1;
      continue;
    }
    const opened = seal?.open(row.sealed) ?? null;
    if (seal === null || opened === null) counts.lost += 1;
    else {
      await write(row, seal.close(opened));
      counts.resealed += 1;
    }
  }
  return counts;
}
