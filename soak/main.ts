import { parseArgs } from "node:util";
import { deletions } from "./parts/deletions";

// `npm run soak -- [--repeats N] [part ...]`: what has to hold every time, done many times over. It takes
// from minutes to hours and is no part of the gate, which does each of these once. Exits 1 when one fails.

/** Each gets the number of repetitions and says whether all of them held. */
const PARTS: Readonly<Record<string, (repeats: number) => boolean>> = { deletions };
const REPEATS = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repeats: { type: "string", default: String(REPEATS) } },
});
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  throw new Error(`no such part: ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}`);
}
const repeats = /^[1-9]\d{0,5}$/.test(values.repeats) ? Number(values.repeats) : null;
if (repeats === null) throw new Error("--repeats must be a whole number from 1");

const failed = names.filter((name) => {
  const startedMs = performance.now();
  const held = PARTS[name]?.(repeats) === true;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  process.stdout.write(`${name}, ${repeats} times: ${held ? "held" : "FAILED"} (${seconds} s)\n`);
  return !held;
});
process.exitCode = failed.length === 0 ? 0 : 1;
