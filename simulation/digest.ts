import { createHash } from "node:crypto";
import type { Scene } from "./simulation";

/**
 * One hash over what a run has left behind: every row of the database, every message received and every request at the
 * API. Two runs of one plan have the same.
 */
export async function digestOf({ control, api, receivers }: Scene): Promise<string> {
  const hash = createHash("sha256");
  for (const [name, digest] of await tableDigests(control)) hash.update(`${name} ${digest}\n`);
  for (const seen of api.seen) hash.update(`${JSON.stringify(seen)}\n`);
  for (const one of receivers.received) hash.update(`${JSON.stringify(one)}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** The hash of each table's rows, by name; for finding out where two runs differ. */
export async function tableDigests(control: Scene["control"]): Promise<[string, string][]> {
  const tables = await control.rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  );
  const digests: [string, string][] = [];
  for (const { name } of tables) {
    const [found] = await control.rows<{ digest: string | null }>(
      `select md5(string_agg(row, E'\\n' order by row collate "C")) as digest
       from (select to_jsonb(one)::text as row from public."${name}" one) rows`,
    );
    digests.push([name, found?.digest ?? "empty"]);
  }
  return digests;
}
