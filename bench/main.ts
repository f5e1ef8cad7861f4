import { readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { run } from "@/scripts/steps.mjs";
import { createBench, type Bench } from "./bench";
import { ROOT } from "./measured-server";
import { chatLink } from "./parts/chat-link";
import { checks } from "./parts/checks";
import { earlyPresses } from "./parts/early-presses";
import { elements } from "./parts/elements";
import { files } from "./parts/files";
import { filter } from "./parts/filter";
import { history } from "./parts/history";
import { hostile } from "./parts/hostile";
import { incidents, rehearsal } from "./parts/incidents";
import { interactions } from "./parts/interactions";
import { loadSize } from "./parts/load-size";
import { memory } from "./parts/memory";
import { navigation } from "./parts/navigation";
import { paint } from "./parts/paint";
import { partnerPage } from "./parts/partner-page";
import { reports } from "./parts/reports";
import { rowChange } from "./parts/row-change";
import { service } from "./parts/service";
import { snapshot } from "./parts/snapshot";
import { strangers } from "./parts/strangers";
import { today } from "./parts/today";
import { truth } from "./parts/truth";
import { viewers } from "./parts/viewers";
import { walls } from "./parts/walls";
import { asMarkdown, asText, countMet, type Row } from "./table";

// `npm run bench -- [--no-build] [--write] [part ...]`: measures Plumbline against the bare framework, side by side on
// this machine, and prints one table. A report, not a gate: a missed goal isn't a failure.

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<Row[]>>> = {
  snapshot,
  truth,
  checks,
  viewers,
  walls,
  service,
  "load-size": loadSize,
  paint,
  elements,
  "row-change": rowChange,
  filter,
  navigation,
  interactions,
  "early-presses": earlyPresses,
  memory,
  history,
  reports,
  incidents,
  rehearsal,
  today,
  files,
  "partner-page": partnerPage,
  "chat-link": chatLink,
  hostile,
  strangers,
};
const PAGE = path.join(ROOT, "docs/performance.md");
const TABLE = /(?<=<!-- bench -->\n)[^]*(?=<!-- end of bench -->)/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "no-build": { type: "boolean" }, write: { type: "boolean" } },
});
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  throw new Error(`no such part: ${unknown.join(", ")}. Parts: ${Object.keys(PARTS).join(", ")}`);
}
if (values.write === true && positionals.length > 0) throw new Error("--write is for whole runs");

if (values["no-build"] !== true) {
  for (const directory of [".", "bench/floor"]) {
    if (
      !run("npx", ["next", "build", directory], {
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
      })
    )
      process.exit(1);
  }
  if (!run("node", ["scripts/compress-build.mjs"])) process.exit(1);
}

const bench = createBench();
const rows: Row[] = [];
const failed: string[] = [];
for (const name of names) {
  const startedMs = performance.now();
  try {
    const ofPart = (await PARTS[name]?.(bench)) ?? [];
    rows.push(...ofPart);
    // Print intermediate results, in case a long run is aborted.
    process.stderr.write(`\n${asText(ofPart)}\n`);
  } catch (error) {
    // The other parts are still worth measuring.
    failed.push(name);
    process.stderr.write(`${name} could not be measured: ${String(error)}\n`);
  }
  process.stderr.write(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s\n`);
}
await bench.stop();
process.stdout.write(`\n${asText(rows)}\n\n${countMet(rows)}\n`);
if (failed.length > 0) process.stdout.write(`Not measured: ${failed.join(", ")}\n`);

if (values.write === true && failed.length === 0) {
  const [cpu] = os.cpus();
  const machine = `${os.availableParallelism()} cores (${cpu?.model ?? "unknown"}), Node ${process.versions.node}`;
  const text = `\n${asMarkdown(rows)}\n\n${countMet(rows)}, on ${machine}.\n\n`;
  await writeFile(
    PAGE,
    (await readFile(PAGE, "utf8")).replace(TABLE, () => text),
  );
  run("npx", ["oxfmt", PAGE]);
}
