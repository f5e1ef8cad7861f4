import { parseArgs } from "node:util";
import { databaseCpuMs } from "@/bench/database-cpu";
import { startServer, type Server } from "./database";
import { FAULT_KINDS, type FaultKind } from "./faults";
import { daysOf, type Plan } from "./plan";
import { run } from "./run";
import { shrink } from "./shrink";
import type { Outcome } from "./simulation";

// `npm run simulate -- --seed N`: plays days of Plumbline in seconds, with faults, and checks after each simulated minute
// what it promises (docs/testing.md). Exits 1 if an invariant is broken, and prints the smallest command that shows it.

const USAGE = `npm run simulate -- [--seed N or N-N, several with commas between] [--days 1] [--faults all|none|KIND,...] [--faults-per-day 24]
  [--companies 3] [--feeds 60] [--twice] [--no-shrink] [--events 100]
  of what was drawn, only: [--only-faults 0,3] [--only-companies 0] [--minutes 90]
kinds of faults: ${FAULT_KINDS.join(", ")}`;
const MAX_RUNS_TO_SHRINK = 60;

const say = (line: string) => void process.stdout.write(`${line}\n`);

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      days: { type: "string", default: "1" },
      faults: { type: "string", default: "all" },
      "faults-per-day": { type: "string", default: "24" },
      companies: { type: "string", default: "3" },
      feeds: { type: "string", default: "60" },
      "only-faults": { type: "string" },
      "only-companies": { type: "string" },
      minutes: { type: "string" },
      twice: { type: "boolean", default: false },
      "no-shrink": { type: "boolean", default: false },
      events: { type: "string", default: "100" },
    },
  });
  const numbers = (text: string | undefined) =>
    text === undefined ? null : text === "" ? [] : text.split(",").map(number);
  const plan: Omit<Plan, "seed"> = {
    days: daysOf(number(values.days)),
    companies: number(values.companies),
    feedsEach: number(values.feeds),
    kinds: kindsOf(values.faults),
    faultsPerDay: number(values["faults-per-day"]),
    onlyFaults: numbers(values["only-faults"]),
    onlyCompanies: numbers(values["only-companies"]),
    minutes: values.minutes === undefined ? null : number(values.minutes),
  };
  return {
    plan,
    seeds: seedsOf(values.seed),
    isTwice: values.twice,
    isShrunk: !values["no-shrink"],
    eventsShown: number(values.events),
  };
}

class UsageError extends Error {}

function number(text: string): number {
  if (!/^\d{1,10}(?:\.\d+)?$/.test(text)) throw new UsageError(`not a number: ${text}`);
  return Number(text);
}

function seedsOf(text: string): number[] {
  return text.split(",").flatMap((part) => {
    const range = /^(\d{1,10})-(\d{1,10})$/.exec(part);
    if (range === null) return number(part);
    const [first, last] = [Number(range[1]), Number(range[2])];
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}

function kindsOf(text: string): readonly FaultKind[] {
  if (text === "all") return FAULT_KINDS;
  if (text === "none") return [];
  const isKind = (one: string): one is FaultKind =>
    (FAULT_KINDS as readonly string[]).includes(one);
  const kinds = text.split(",");
  const unknown = kinds.filter((one) => !isKind(one));
  if (unknown.length > 0) throw new UsageError(`no such fault: ${unknown.join(", ")}`);
  return kinds.filter(isKind);
}

/** The options that play a plan again. */
function commandOf(plan: Plan): string {
  const kinds = plan.kinds.length === FAULT_KINDS.length ? "all" : plan.kinds.join(",") || "none";
  const options = [
    `--seed ${plan.seed} --days ${plan.days} --faults ${kinds} --faults-per-day ${plan.faultsPerDay}`,
    `--companies ${plan.companies} --feeds ${plan.feedsEach}`,
    plan.onlyFaults === null ? "" : `--only-faults "${plan.onlyFaults.join(",")}"`,
    plan.onlyCompanies === null ? "" : `--only-companies ${plan.onlyCompanies.join(",")}`,
    plan.minutes === null ? "" : `--minutes ${plan.minutes}`,
  ];
  return `npm run simulate -- ${options.filter((one) => one !== "").join(" ")}`;
}

/** Plays a plan, and says in a line how it ended and what it took. */
async function play(server: Server, plan: Plan): Promise<Outcome> {
  const cpu = process.cpuUsage();
  const databaseMs = databaseCpuMs(server.dataDir);
  const outcome = await run(server, plan);
  const { user, system } = process.cpuUsage(cpu);
  const days = outcome.simulatedMs / 86_400_000;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  say(
    `seed ${plan.seed}: ${outcome.broken?.message ?? "held"}; ${days.toFixed(2)} days, ${outcome.operations} operations, CPU ${seconds((user + system) / 1_000)} and PostgreSQL's ${seconds(databaseCpuMs(server.dataDir) - databaseMs)}, digest ${outcome.digest}`,
  );
  const met = Object.entries(outcome.coverage).map(([name, amount]) => `${name} ${amount}`);
  say(`  met: ${met.join(", ")}`);
  return outcome;
}

/** @returns whether all invariants held */
async function playSeed(
  server: Server,
  plan: Plan,
  { isTwice, isShrunk, eventsShown }: { isTwice: boolean; isShrunk: boolean; eventsShown: number },
) {
  const outcome = await play(server, plan);
  if (isTwice) {
    const again = await play(server, plan);
    if (again.digest !== outcome.digest) {
      say(`seed ${plan.seed}: two runs differ`);
      return false;
    }
  }
  if (outcome.broken === null) return true;
  for (const line of outcome.events.slice(Math.max(0, outcome.events.length - eventsShown)))
    say(line);
  if (!isShrunk) return false;
  say("looking for a smaller run that breaks the same invariant");
  const smallest = await shrink(plan, outcome, {
    play: (smaller) => play(server, smaller),
    faults: outcome.faults,
    mostRuns: MAX_RUNS_TO_SHRINK,
  });
  say(`the smallest that breaks it:\n${commandOf(smallest)}`);
  return false;
}

/** The options; null: they are wrong, which standard error says. */
function readOptionsOrComplain() {
  try {
    return readOptions();
  } catch (error) {
    const isUnknownOption = error instanceof TypeError && "code" in error;
    if (!isUnknownOption && !(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    return null;
  }
}

async function main() {
  process.exitCode = 1;
  const options = readOptionsOrComplain();
  if (options === null) return;
  const server = await startServer();
  try {
    let haveHeld = true;
    for (const seed of options.seeds)
      haveHeld = (await playSeed(server, { ...options.plan, seed }, options)) && haveHeld;
    process.exitCode = haveHeld ? 0 : 1;
  } finally {
    await server.stop();
  }
}

await main();
