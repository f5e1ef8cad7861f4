import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { terminalText } from "@/lib/domain/text/terminal-text.mjs";
import { isCompanySlug } from "@/lib/domain/company-slug";
import { SLUG_RULE } from "@/lib/server/config/formats";
import { readConnections } from "@/lib/server/store/connections/connections";
import { renameCompany } from "@/lib/server/store/sync/rename-company";
import { parseConfig, type Config } from "@/lib/server/config/config";
import { systemClock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import {
  forgetCompany,
  mayBeRead,
  readRecord,
  type RecordedCompany,
} from "@/lib/server/store/sync/forget-company";
import { readDemoRemoval } from "@/lib/server/store/demo/demo-removal";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import { say } from "./terminal";
import { loadEnvironment, runCommand, withAuditedDatabase } from "./with-database";

const USAGE =
  "npm run companies -- list, npm run companies -- rename OLD NEW, or npm run companies -- forget SLUG [--yes]";

/**
 * `npm run companies -- list`: every recorded company. `forget SLUG` deletes the record of a company that is no longer
 * connected, except the audit log. Both may run beside the app, with the same configuration. `rename OLD NEW` moves
 * everything recorded of a company to another slug, while no app is running.
 */
await runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: "boolean", default: false } },
  });
  const [what, slug, next, ...more] = positionals;
  loadEnvironment();
  const config = parseConfig(process.env, process.cwd());
  if (what === "list" && slug === undefined) await withAuditedDatabase(config, list);
  else if (what === "forget" && slug !== undefined && next === undefined) {
    await withAuditedDatabase(config, (database) => forget(database, slug, values.yes));
  } else if (what === "rename" && slug !== undefined && next !== undefined && more.length === 0) {
    await withAuditedDatabase(config, (database) => rename(database, slug, next));
  } else throw new Error(`Usage: ${USAGE}`);

  async function list(database: Database): Promise<void> {
    const companies = await readRecord(database);
    const slugs = await connected(database);
    if (companies.length === 0) say("No company has been read yet.");
    for (const company of companies) {
      say(`${company.slug}: ${company.name}, ${standing(company, slugs)}`);
    }
  }

  async function rename(database: Database, from: string, to: string): Promise<void> {
    if (!isCompanySlug(to)) throw new Error(`${to} can't be a slug: it ${SLUG_RULE}.`);
    if ((await configured(config, database)).includes(from)) {
      throw new Error(
        `${from} is still in the connections of the configuration. Change its slug to ${to} there first.`,
      );
    }
    const moved = await renameCompany(database, { from, to }, systemClock.nowMs());
    if (moved === "running") {
      throw new Error(
        "An app is running on this database. Stop all of them, and start them again afterwards.",
      );
    }
    if (moved === "taken")
      throw new Error(`${to} is taken: there is a record or a connection of it.`);
    if (moved === "unknown") throw new Error(`There's no record of ${from}.`);
    say(
      `${from}: now ${to}, ${moved.toLocaleString("en-US")} rows moved. The audit log stays under ${from}. If ACCESS_FILE names ${from}, change it there.`,
    );
  }

  /** The slugs of all connected companies. */
  async function connected(database: Database): Promise<string[]> {
    const made = await readConnections(database);
    return [
      ...(await configured(config, database)),
      ...made.flatMap(({ company, removedAt }) => (removedAt === null ? company : [])),
    ];
  }

  async function forget(database: Database, which: string, isSure: boolean): Promise<void> {
    const company =
      (await readRecord(database)).find((one) => one.slug === which) ??
      (await removedUnread(database, which));
    if (company === undefined) throw new Error(`There's no record of ${which}.`);
    if ((await connected(database)).includes(which)) {
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

/** A company that was connected and removed in a browser before it was ever read. */
async function removedUnread(
  database: Database,
  slug: string,
): Promise<RecordedCompany | undefined> {
  const row = (await readConnections(database)).find(({ company }) => company === slug);
  if (row === undefined) return undefined;
  return { slug, name: row.name, leftAtMs: row.removedAt?.getTime() ?? null, readAgoMs: null };
}

/** The slugs of the companies of the configuration, or of the demo until it is removed. */
async function configured({ connections, service }: Config, database: Database): Promise<string[]> {
  const isDemo = connections.length === 0 && service === "demo";
  if (!isDemo) return connections.map(({ company }) => company);
  const isOver = (await readDemoRemoval(database.orm)) !== "none";
  return isOver ? [] : DEMO_COMPANIES.map(({ slug }) => slug);
}

/** @param connected slugs of all connected companies */
function standing(company: RecordedCompany, connected: readonly string[]): string {
  if (connected.includes(company.slug)) return "connected";
  const { leftAtMs } = company;
  if (leftAtMs === null) {
    // The app may have another configuration than this command.
    return mayBeRead(company)
      ? "read within the last hour, but not in this configuration"
      : "no longer connected";
  }
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
