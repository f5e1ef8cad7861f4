import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { CheckStep } from "@/lib/contracts/connections";
import { systemClock } from "@/lib/server/clock";
import { parseConfig, type Config } from "@/lib/server/config/config";
import { judgeConnections } from "@/lib/server/config/connections";
import { readConnections } from "@/lib/server/store/connections/connections";
import type { Database } from "@/lib/server/store/database";
import { createConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import { budgetShares } from "@/lib/server/upstream/budget";
import { isConnectable } from "@/lib/domain/check-steps";
import { isDemo } from "@/lib/server/runtime/embedded-api";
import { checkApi } from "@/lib/server/upstream/check/check-api";
import { createDialGuard } from "@/lib/server/upstream/dial/allowed-targets";
import type { Connection } from "@/lib/server/upstream/upstream";
import { CommandError } from "@/lib/v3-service/command";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import { rhythmOf } from "@/lib/server/collector/rhythm";
import { say } from "./terminal";
import {
  authSecretsOf,
  commandLog,
  loadEnvironment,
  runCommand,
  withAuditedDatabase,
} from "./with-database";

const USAGE = `Usage: npm run connections -- check FILE
       npm run connections -- check SLUG

Checks every connection of a file in the format of CONNECTIONS_FILE, or one that is connected, step by step. Nothing is
saved, but the requests count against the budget of their host. May run beside the app.`;

const MARKS = new Map([
  [true, "ok"],
  [false, "failed"],
  [null, "-"],
]);

/** `npm run connections -- check`: see `USAGE`. Exits 1 if a company can't be read. */
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [what, which, ...more] = positionals;
  if (what !== "check" || which === undefined || more.length > 0) throw new CommandError(USAGE);
  loadEnvironment();
  const config = parseConfig(process.env, process.cwd());
  await withAuditedDatabase(config, async (database) => {
    const connections = existsSync(which)
      ? connectionsIn(which)
      : [await connectionOf(database, config, which)];
    for (const connection of connections) {
      if (!(await check(database, config, connection))) process.exitCode = 1;
    }
  });
});

/** @throws CommandError with the problems of the file */
function connectionsIn(file: string): readonly Connection[] {
  const judged = judgeConnections(process.env, readFileSync(file, "utf8"));
  if ("value" in judged) return judged.value;
  const problems = judged.problems.map((problem) => problem.replace("CONNECTIONS_FILE", file));
  throw new CommandError(problems.join("\n"));
}

async function connectionOf(database: Database, config: Config, slug: string): Promise<Connection> {
  const configured = config.connections.find(({ company }) => company === slug);
  if (configured !== undefined) return configured;
  const row = (await readConnections(database)).find(({ company }) => company === slug);
  if (isDemo(config) && DEMO_COMPANIES.some((one) => one.slug === slug))
    throw new CommandError(`${slug} is a demo company: Plumbline serves it itself.`);
  if (row === undefined || row.sealed === null) {
    throw new CommandError(`There's no file and no connected company named ${slug}.`);
  }
  const clientSecret = createConnectionSeals(authSecretsOf(config))(row).open(row.sealed);
  if (clientSecret === null) {
    throw new CommandError(
      `${slug}: the stored client secret can't be decrypted. Enter it again at /settings/connections.`,
    );
  }
  const { company, name, baseUrl, clientId } = row;
  const browser = { pausedAtMs: row.pausedAt?.getTime() ?? null, isSecretReadable: true };
  return { company, name, baseUrl, clientId, clientSecret, browser };
}

/** @returns whether the company can be read */
async function check(database: Database, config: Config, connection: Connection): Promise<boolean> {
  say(`${connection.company}: ${connection.name}`);
  const isTyped = connection.browser !== undefined;
  const steps: CheckStep[] = [];
  const checking = checkApi(
    {
      clock: systemClock,
      random: Math.random,
      log: commandLog(),
      database,
      requestsPerMinute: config.requestsPerMinute,
      tokenRequestsPerMinute: config.tokenRequestsPerMinute,
      proxies: isTyped ? config.targetProxies : config.proxies,
      guard: isTyped ? createDialGuard(config.allowedTargets) : null,
      plannedPerMinute: (pages) => plannedPerMinute(config, pages),
      onRequest: () => {},
    },
    connection,
  );
  for await (const step of checking) {
    steps.push(step);
    sayStep(step);
  }
  return isConnectable(steps);
}

/** Requests a minute for the checks of a company that has its host to itself. */
function plannedPerMinute({ pollSeconds, requestsPerMinute }: Config, pages: number): number {
  const pollsPerWindow = budgetShares(requestsPerMinute).polls;
  return (pages * 60_000) / rhythmOf({ pages: [pages], pollSeconds, pollsPerWindow }).checkMs;
}

function sayStep({ step, ok, text, ms, detail: { note } }: CheckStep): void {
  const took = ms === null ? "" : ` (${ms} ms)`;
  const words = [text, note ?? ""].filter((part) => part !== "").join(" ");
  // As everywhere outside of pages.
  say(`  ${MARKS.get(ok)?.padEnd(6)}  ${step.padEnd(10)}  ${words.replaceAll("’", "'")}${took}`);
}
