import { setTimeout as sleep } from "node:timers/promises";
import type { Usage } from "@/bench/measured-server";
import { companyOf, startPlumbline, type Plumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import { EXPENSIVE_SHAPES } from "@/e2e/upstream/expensive-body";
import type { Fault } from "@/e2e/upstream/fault";
import type { MisbehavingUpstream } from "@/e2e/upstream/misbehaving-upstream";

const ENDPOINTS = 60;
/** Responses of each kind: the first one warms up, the others are measured. */
const POLLS = 4;
const LOOK_MS = 100;
const LIMIT_MS = 60_000;
/** Just below the maximum size that is read, and the maximum that is parsed. */
const SIZES = [7_800_000, 4_100_000];
/** The promised maximum for any response. */
const MAX_STALL_MS = 200;
const MAX_MB = 100;

/** One server that gets the most expensive responses within its size limits. */
export async function hostile(): Promise<Row[]> {
  const app = await startPlumbline({ sizes: [ENDPOINTS], pollSeconds: 1 });
  try {
    const upstream = app.upstreams.get(companyOf(ENDPOINTS));
    if (upstream === undefined) throw new Error("there is no upstream");
    app.watchClosely();
    const usual = await measured(app, upstream, null);
    const found: (Measured & { name: string })[] = [];
    for (const [name, fault] of troubles()) {
      const one = { name, ...(await measured(app, upstream, fault)) };
      process.stderr.write(
        `${name}: ${one.stallMs.toFixed(0)} ms, ${one.grownMb.toFixed(0)} MB more\n`,
      );
      found.push(one);
    }
    const slowest = found.toSorted((a, b) => b.stallMs - a.stallMs)[0] ?? usual;
    const largest = found.toSorted((a, b) => b.grownMb - a.grownMb)[0] ?? usual;
    const what = `the worst of ${found.length} kinds of hostile answers`;
    return [
      {
        what: `longest stall (CPU) with ${what}`,
        against: "with good answers",
        floor: usual.stallMs,
        ours: slowest.stallMs,
        unit: "ms",
        goal: { of: "value", most: MAX_STALL_MS },
      },
      {
        what: `memory taken at the peak with ${what}`,
        against: "with good answers",
        floor: usual.grownMb,
        ours: largest.grownMb,
        unit: "MB",
        goal: { of: "value", most: MAX_MB },
      },
    ];
  } finally {
    await app.stop();
  }
}

function troubles(): [name: string, Fault][] {
  return [
    ...EXPENSIVE_SHAPES.flatMap((shape) =>
      SIZES.map((bytes): [string, Fault] => [
        `${shape} of ${bytes / 1e6} MB`,
        { kind: "expensive_body", shape, bytes },
      ]),
    ),
    ["rows of 70 kB", { kind: "long_text", member: "notes", length: 70_000 }],
    ["names of 40 kB", { kind: "long_text", member: "partner_name", length: 40_000 }],
    ["rows of 16 kB", { kind: "long_text", member: "notes", length: 15_500 }],
    ["one byte a chunk", { kind: "tiny_chunks", blanks: 4_000_000 }],
    ["one byte a chunk, without end", { kind: "tiny_chunks", blanks: 1_000_000_000 }],
    ["a bomb", { kind: "gzip_bomb" }],
  ];
}

type Measured = {
  /** The longest time that nothing else could run, in CPU time. */
  stallMs: number;
  /** The peak above the memory before. */
  grownMb: number;
};

async function measured(
  app: Plumbline,
  upstream: MisbehavingUpstream,
  fault: Fault | null,
): Promise<Measured> {
  await upstream.setFault(null);
  await polled(upstream, 2);
  app.collectGarbage();
  await sleep(LOOK_MS);
  const before: Usage = await app.usage();
  await upstream.setFault(fault, { path: "/sync_status" });
  await polled(upstream, POLLS);
  const after = await app.usage();
  return {
    stallMs: after.worst.turnCpuMs,
    grownMb: (after.worst.residentBytes - before.residentBytes) / 1_000_000,
  };
}

/** Resolves when this many more polls have started, and all but the last have ended. */
async function polled(upstream: MisbehavingUpstream, times: number): Promise<void> {
  const count = () => upstream.requests.filter(({ path }) => path === "/sync_status").length;
  const enough = count() + times;
  const giveUpMs = performance.now() + LIMIT_MS;
  while (count() < enough) {
    if (performance.now() > giveUpMs) throw new Error("the upstream is not polled any more");
    await sleep(LOOK_MS);
  }
}
