import { setTimeout as sleep } from "node:timers/promises";
import { benchFiles, benchSearches } from "@/bench/files";
import { quantile } from "@/bench/median";
import { companyOf, startPlumbline, type Plumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";

const FILES = 100_000;
const PER_PAGE = 100;
const FEW_FILES = 10_000;
const ENDPOINTS = 60;
const INDEX_LIMIT_MS = 300_000;
const MAX_EXTRA_MB = 50;
const SETTLE_MS = 3_000;

/** A company with 100,000 schedule files: cost of indexing them, of finding one, and of memory. */
export async function files(): Promise<Row[]> {
  // Not zero, because the fixed cost of reading doesn't depend on the number of files.
  const few = await measured(FEW_FILES);
  const many = await measured(FILES);
  const count = FILES.toLocaleString("en");
  return [
    {
      what: `${count} schedule files are indexed: requests`,
      against: "the pages that they fill",
      floor: Math.ceil(FILES / PER_PAGE),
      ours: many.requests,
      unit: "requests",
      goal: { of: "ratio", most: 1.05 },
    },
    {
      what: `search in ${count} schedule files, letter by letter: p95`,
      against: "",
      floor: null,
      ours: quantile(many.milliseconds, 0.95),
      unit: "ms",
      goal: { of: "value", most: 100 },
    },
    {
      what: `server memory with ${count} schedule files, indexed and searched`,
      against: `the same with ${FEW_FILES.toLocaleString("en")}`,
      floor: few.residentMb,
      ours: many.residentMb,
      unit: "MB",
      goal: { of: "difference", most: MAX_EXTRA_MB },
    },
  ];
}

async function measured(count: number) {
  const app = await startPlumbline({
    sizes: [ENDPOINTS],
    files: benchFiles(count, Date.now()),
    pollSeconds: 3600,
  });
  try {
    await untilIndexed(app);
    const upstream = app.upstreams.get(companyOf(ENDPOINTS));
    const requests = upstream?.requests.filter(({ path }) => path === "/schedule_files").length;
    const milliseconds: number[] = [];
    for (const query of benchSearches()) {
      const startedMs = performance.now();
      await list(app, new URLSearchParams({ q: query }));
      milliseconds.push(performance.now() - startedMs);
    }
    app.collectGarbage();
    // Freed pages return to the system in the background.
    await sleep(SETTLE_MS);
    const { residentBytes } = await app.usage();
    return { requests: requests ?? 0, milliseconds, residentMb: residentBytes / 1_000_000 };
  } finally {
    await app.stop();
  }
}

async function list(app: Plumbline, query: URLSearchParams): Promise<ScheduleFilesView> {
  const path = `/api/companies/${companyOf(ENDPOINTS)}/schedule-files?${query.toString()}`;
  const answer = await fetch(`${app.address}${path}`, { headers: { cookie: app.cookie } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return (await answer.json()) as ScheduleFilesView;
}

/** Polls rarely, and only for known files: a missing page would be read on demand. */
async function untilIndexed(app: Plumbline): Promise<void> {
  const deadlineMs = performance.now() + INDEX_LIMIT_MS;
  for (;;) {
    const { index } = await list(app, new URLSearchParams({ q: "any" }));
    if (index.complete) return;
    if (performance.now() > deadlineMs) throw new Error(`${index.known} files after 5 minutes`);
    await sleep(1000);
  }
}
