import { createHash } from "node:crypto";
import type { DerivedKey } from "@/lib/server/keys";
import { BadBackup, damaged, isAsWritten, readArchive, type Entry } from "./archive";
import { About, ABOUT_NAME, FORMAT, Manifest, MANIFEST_NAME, nameOfTable } from "./manifest";
import { countRows } from "./write-backup";

/** A chunk of one table's rows. */
export type RowsEntry = { table: string; bytes: Buffer };

/**
 * Reads and verifies a whole backup: its description first, then its rows.
 * @param options.keys accepted signing keys; null: skips verification of the signature
 * @param options.onRows called and awaited for each megabyte of rows, which are verified only once the whole
 * file was read
 * @returns its manifest, which matches the rows
 * @throws BadBackup; any error of the callbacks
 */
export async function readBackup(
  file: string,
  options: {
    keys: readonly DerivedKey[] | null;
    signal?: AbortSignal | undefined;
    onBytes?: ((read: number, of: number) => void) | undefined;
    onRows?: ((rows: RowsEntry) => Promise<void>) | undefined;
  },
): Promise<Manifest> {
  const { onRows = async () => {}, ...reading } = options;
  const found = new Map<
    string,
    { hash: ReturnType<typeof createHash>; rows: number; bytes: number }
  >();
  let isAboutRead = false;
  let manifest: Manifest | null = null;
  for await (const entry of readArchive(file, reading)) {
    if (manifest !== null) throw damaged(file);
    if (!isAboutRead) {
      if (entry.name !== ABOUT_NAME) throw new BadBackup(`${file} isn't a backup of Plumbline.`);
      await checkAbout(file, entry, options.signal);
      isAboutRead = true;
    } else if (entry.name === MANIFEST_NAME) {
      manifest = parseManifest(file, entry);
    } else {
      const table = entry.name.slice(0, entry.name.lastIndexOf("/"));
      const sums = found.get(table) ?? { hash: createHash("sha256"), rows: 0, bytes: 0 };
      found.set(table, sums);
      sums.hash.update(entry.bytes);
      sums.rows += countRows(entry.bytes);
      sums.bytes += entry.bytes.length;
      await onRows({ table, bytes: entry.bytes });
    }
  }
  if (manifest === null) throw damaged(file);
  const none = createHash("sha256").digest("hex");
  for (const table of manifest.tables) {
    const name = nameOfTable(table);
    const sums = found.get(name);
    found.delete(name);
    const sha256 = sums?.hash.digest("hex") ?? none;
    const isSame =
      sha256 === table.sha256 &&
      (sums?.rows ?? 0) === table.rows &&
      (sums?.bytes ?? 0) === table.bytes;
    if (!isSame) throw damaged(file);
  }
  if (found.size > 0) throw damaged(file);
  return manifest;
}

/** @throws BadBackup when its description is invalid, or of a format this version can't read */
async function checkAbout(
  file: string,
  { bytes }: Entry,
  signal: AbortSignal | undefined,
): Promise<void> {
  const read = parsed(file, bytes);
  const { format } =
    typeof read === "object" && read !== null ? (read as { format?: unknown }) : {};
  if (typeof format === "number" && format > FORMAT) {
    // The version number may itself be damaged, so verify the file before believing it.
    if (!(await isAsWritten(file, signal))) throw damaged(file);
    throw new BadBackup(
      `${file} was made by a newer version of Plumbline, in a form that this version can't read. Restore it with that version, or a later one. Nothing was changed.`,
    );
  }
  const { error } = About.safeParse(read);
  if (error !== undefined) throw damaged(file, error);
}

function parseManifest(file: string, { bytes }: Entry): Manifest {
  const { data, error } = Manifest.safeParse(parsed(file, bytes));
  if (data === undefined) throw damaged(file, error);
  return data;
}

function parsed(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw damaged(file, cause);
  }
}
