import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { companies } from "./parts/companies";
import { instances } from "./parts/instances";
import { killed } from "./parts/killed";
import { memory } from "./parts/memory";
import { wall } from "./parts/wall";

// `npm run soak -- [--repeats N] [--seed N] [part ...]`: many repetitions of what must hold every time. It takes
// minutes to hours and isn't part of `npm run verify`, whose long tests do each of these once. Exits 1 if one fails.

type Part = {
  /** Gets the number of repetitions and the random seed; returns whether all of them held. */
  run: (repeats: number, seed: number) => boolean | Promise<boolean>;
  repeats: number;
  /** The unit of repetition. */
  of: string;
};
const PARTS: Readonly<Record<string, Part>> = {
  companies: { run: companies, repeats: 3, of: "hours" },
  deletions: { run: killed("lib/server/deletions"), repeats: 20, of: "times" },
  deliveries: { run: killed("lib/server/delivery"), repeats: 20, of: "times" },
  incidents: { run: killed("lib/server/collector"), repeats: 3, of: "times" },
  instances: { run: instances, repeats: 60, of: "minutes" },
  memory: { run: memory, repeats: 5_000, of: "snapshots" },
  wall: { run: wall, repeats: 30, of: "days" },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repeats: { type: "string" }, seed: { type: "string" } },
});
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  throw new Error(`no such part: ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}`);
}
const requested = values.repeats;
if (requested !== undefined && !/^[1-9]\d{0,5}$/.test(requested)) {
  throw new Error("--repeats must be a whole number from 1");
}
const seed = values.seed ?? String(randomInt(2 ** 31));
if (!/^\d{1,10}$/.test(seed)) throw new Error("--seed must be a whole number");

process.exitCode = 0;
for (const name of names) {
  const part = PARTS[name];
  if (part === undefined) continue;
  const repeats = requested === undefined ? part.repeats : Number(requested);
  const startedMs = performance.now();
  const held = await part.run(repeats, Number(seed));
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const outcome = held ? "held" : "FAILED";
  process.stdout.write(`${name}, ${repeats} ${part.of}: ${outcome} (${seconds} s)\n`);
  if (!held) process.exitCode = 1;
}
