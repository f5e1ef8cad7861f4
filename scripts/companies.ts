import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { terminalText } from "@/lib/domain/text/terminal-text.mjs";
import { parseConfig, type Config } from "@/lib/server/config/config";
import { systemClock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import {
  forgetCompany,
  mayBeRead,
  readRecord,
  type RecordedCompany,
} from "@/lib/server/store/sync/forget-company";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import { say } from "./terminal";
import { loadEnvironment, runCommand, withAuditedDatabase } from "./with-database";

const USAGE = "npm run companies -- list, or npm run companies -- forget SLUG [--yes]";

/**
 * `npm run companies -- list`: every recorded company. `forget SLUG` deletes the record of a company that is no longer
 * connected, except the audit log. May run beside the app, with the same configuration.
 */
await runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: "boolean", default: false } },
  });
  const [what, slug, ...more] = positionals;
  loadEnvironment();
  const config = parseConfig(process.env, process.cwd());
  if (what === "list" && slug === undefined) await withAuditedDatabase(config, list);
  else if (what === "forget" && slug !== undefined && more.length === 0) {
    await withAuditedDatabase(config, (database) => forget(database, slug, values.yes));
  } else throw new Error(`Usage: ${USAGE}`);

  async function list(database: Database): Promise<void> {
    const companies = await readRecord(database);
    if (companies.length === 0) say("No company has been read yet.");
    for (const company of companies) {
      say(`${company.slug}: ${company.name}, ${standing(company, config)}`);
    }
  }

  async function forget(database: Database, which: string, isSure: boolean): Promise<void> {
    const company = (await readRecord(database)).find((one) => one.slug === which);
    if (company === undefined) throw new Error(`There's no record of ${which}.`);
    if (connected(config).includes(which)) {
      throw new Error(
        `${which} is still in the connections. Remove it there first; the app then stops reading it.`,
      );
    }
    if (mayBeRead(company)) {
      throw new Error(
        `${which} was read within the last hour, and no running app has seen it leave the connections. Run this with the app's own configuration; if it has stopped, start it once without ${which}.`,
      );
    }
    if (!isSure && !(await isTyped(company))) throw new Error("Nothing was deleted.");
    const rows = await forgetCompany(database, company, systemClock.nowMs());
    say(`${which}: forgotten, ${rows.toLocaleString("en-US")} rows deleted`);
  }
});

/** The slugs of all companies connected by this configuration. */
function connected({ connections, service }: Config): string[] {
  return connections.length === 0 && service === "demo"
    ? DEMO_COMPANIES.map(({ slug }) => slug)
    : connections.map(({ company }) => company);
}

function standing(company: RecordedCompany, config: Config): string {
  if (connected(config).includes(company.slug)) return "connected";
  const { leftAtMs } = company;
  if (leftAtMs === null) return "no longer connected";
  return `left ${new Date(leftAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Asks for the slug as confirmation; the end of the input counts as no. */
async function isTyped({ slug, name }: RecordedCompany): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const ended = new Promise<string>((resolve) => asking.once("close", () => resolve("")));
    const question = `This deletes everything recorded of ${name}, except the audit log. Type ${slug} to continue: `;
    return (await Promise.race([asking.question(terminalText(question)), ended])).trim() === slug;
  } finally {
    asking.close();
  }
}
