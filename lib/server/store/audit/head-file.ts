import { compareText } from "@/lib/domain/text/compare-text";
import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { makeFolder } from "@/lib/server/file-problem.mjs";
import type { Head } from "./check-audit";

/** Heads of all logs, recorded in a file outside the database. */

const HeadFile = z.object({
  format: z.literal(1),
  /** Total over all companies. */
  rows: z.int(),
  companies: z.record(
    z.string(),
    z.object({ seq: z.int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/**
 * @returns by company; null: the file doesn't exist
 * @throws Error with a readable message when the file is invalid or unreadable
 */
export async function readHeadFile(file: string): Promise<Map<string, Head> | null> {
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error(`${file} can't be read.`, { cause });
  }
  try {
    return new Map(Object.entries(HeadFile.parse(JSON.parse(content)).companies));
  } catch (cause) {
    throw new Error(`${file} isn't a record of the audit log.`, { cause });
  }
}

/**
 * Replaces the file atomically, also across a power failure. For one process at a time.
 * @param confirm throws if another process has taken over; the file then stays unchanged
 * @throws Error of the file system, or of `confirm`
 */
export async function writeHeadFile(
  file: string,
  heads: ReadonlyMap<string, Head>,
  confirm: () => Promise<void>,
): Promise<void> {
  const directory = path.dirname(file);
  makeFolder(directory);
  // Left by processes that were killed, or that stalled and must not complete their write.
  const isTemporary = (name: string) =>
    name.startsWith(`${path.basename(file)}.`) && name.endsWith(".tmp");
  for (const name of (await readdir(directory)).filter(isTemporary)) {
    await rm(path.join(directory, name), { force: true });
  }
  const content: z.infer<typeof HeadFile> = {
    format: 1,
    rows: [...heads.values()].reduce((rows, { seq }) => rows + seq, 0),
    companies: Object.fromEntries([...heads].toSorted(([a], [b]) => compareText(a, b))),
  };
  const temporary = `${file}.${randomUUID()}.tmp`;
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await confirm();
  await rename(temporary, file);
  const entry = await open(directory, "r");
  try {
    await entry.sync();
  } finally {
    await entry.close();
  }
}
