import { parseArgs } from "node:util";
import { parseConfig } from "@/lib/server/config/config";
import type { Database } from "@/lib/server/store/database";
import { readRolledUpUntil } from "@/lib/server/store/report/rolled-up-days";
import {
  deleteExpired,
  measureRecord,
  readDatabaseClock,
  readRecordedCompanies,
} from "@/lib/server/store/sync/retention";
import { complain, say } from "./terminal";
import { readStoreConfig, runCommand, withDatabase } from "./with-database";
import { DAY_MS } from "@/lib/domain/time/units";
import { count, counted } from "@/lib/domain/words/format";

const BATCH_ROWS = 1_000;
const NONE_CLOSED = "none to drop, because no day is closed for its report yet";

/**
 * `npm run retention`: how much of each company's record is older than RETENTION_DAYS. `-- --drop SLUG` deletes that at
 * once, which the app itself does at a tenth a day. Days that the app hasn't rolled up yet are neither counted nor
 * deleted. May run beside the app.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { drop: { type: "string" } } });
  const config = readStoreConfig();
  const { RETENTION_DAYS } = process.env;
  const { retentionDays } = parseConfig({ RETENTION_DAYS }, process.cwd());
  await withDatabase(config, async (database) => {
    const wishedMs = (await readDatabaseClock(database)) - retentionDays * DAY_MS;
    const companies = await readRecordedCompanies(database);
    if (values.drop === undefined) {
      for (const company of companies) {
        await report(database, company, await cutoffOf(database, company, wishedMs));
      }
      if (companies.length === 0) say("No company has any history yet.");
    } else if (companies.includes(values.drop)) {
      const cutoffMs = await cutoffOf(database, values.drop, wishedMs);
      const rows = await drop(database, values.drop, cutoffMs);
      const dropped = `dropped ${counted(rows, "row")} from before ${day(cutoffMs)}`;
      say(`${values.drop}: ${cutoffMs === 0 ? NONE_CLOSED : dropped}`);
    } else {
      const known = companies.length === 0 ? "none" : companies.join(", ");
      complain(`There's no history of ${values.drop}. Companies with history: ${known}.`);
      process.exitCode = 1;
    }
  });
}

/** Keeps days whose reports haven't been created yet; 0: all of them. */
async function cutoffOf(database: Database, company: string, wishedMs: number): Promise<number> {
  return Math.min(wishedMs, await readRolledUpUntil(database, company));
}

async function report(database: Database, company: string, cutoffMs: number): Promise<void> {
  const { rows, expired, oldestMs } = await measureRecord(database, company, cutoffMs);
  const since = oldestMs === null ? "" : ` since ${day(oldestMs)}`;
  const old =
    cutoffMs === 0 ? NONE_CLOSED : `${count(expired)} of them from before ${day(cutoffMs)}`;
  say(`${company}: ${counted(rows, "row")}${since}, ${old}`);
}

async function drop(database: Database, company: string, cutoffMs: number): Promise<number> {
  const place = { statement: 0 };
  let rows = 0;
  for (;;) {
    const gone = await deleteExpired(database, company, cutoffMs, BATCH_ROWS, place);
    if (gone === 0) return rows;
    rows += gone;
  }
}

/** In UTC. */
function day(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

await runCommand(main);
