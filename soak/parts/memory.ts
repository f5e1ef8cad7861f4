import { setTimeout as sleep } from "node:timers/promises";
import { fetchOnce } from "@/bench/load";
import { median } from "@/bench/median";
import { snapshotPath, startPlumbline, type Plumbline } from "@/bench/plumbline";
import { run } from "@/scripts/steps.mjs";

/** Of each company: that many snapshots a second, all different. */
const ENDPOINTS = [500, 400, 300];
const TABS = 3;
/** The server's caches are full by then. */
const WARM = 1_000;
const SAMPLED_EVERY = 100;
/** Maximum growth in the second half of memory retained after garbage collection. */
const MAX_MB = 5;

/**
 * Snapshot after snapshot, each read by three tabs in every encoding and once at a unique address: the server's memory
 * must not grow.
 * @param snapshots how many are read after the warm-up
 */
export async function memory(snapshots: number): Promise<boolean> {
  if (!run("npm", ["run", "build"], { NODE_ENV: "production" })) return false;
  const app = await startPlumbline({ sizes: ENDPOINTS, pollSeconds: 1 });
  const samples: number[] = [];
  const etags = new Map<number, string>();
  try {
    for (let seen = 0; seen < WARM + snapshots;) {
      for (const size of ENDPOINTS) {
        const etag = await readIfNew(app, size, { seen, before: etags.get(size) });
        if (etag === etags.get(size)) continue;
        etags.set(size, etag);
        seen += 1;
        if (seen % SAMPLED_EVERY !== 0) continue;
        app.collectGarbage();
        await sleep(500);
        const { residentBytes, heapBytes, externalBytes } = await app.usage();
        const mb = (bytes: number) => (bytes / 1e6).toFixed(1);
        process.stdout.write(
          `${seen} snapshots: ${mb(residentBytes)} MB, heap ${mb(heapBytes)}, outside it ${mb(externalBytes)}\n`,
        );
        if (seen > WARM) samples.push(residentBytes / 1e6);
      }
      await sleep(20);
    }
  } finally {
    await app.stop();
  }
  const half = Math.floor(samples.length / 2);
  const [before, after] = [median(samples.slice(0, half)), median(samples.slice(half))];
  process.stdout.write(`first half ${before.toFixed(1)} MB, second ${after.toFixed(1)} MB\n`);
  return after - before <= MAX_MB;
}

/** Reads a company's snapshot as its tabs would, and once at a unique address, if it differs from `before`. @returns its ETag */
async function readIfNew(
  app: Plumbline,
  size: number,
  { seen, before }: { seen: number; before: string | undefined },
): Promise<string> {
  const path = snapshotPath(size);
  const headers = { cookie: app.cookie, "accept-encoding": "br" };
  const { etag } = await fetchOnce({ server: app, path, headers });
  if (etag === before) return etag;
  const others = Array.from({ length: TABS - 1 }, () => fetchOnce({ server: app, path, headers }));
  const gzip = { ...headers, "accept-encoding": "gzip" };
  const odd = `${path}?${"x".repeat(8_000)}${seen}`;
  await Promise.all([
    ...others,
    fetchOnce({ server: app, path, headers: gzip }),
    fetchOnce({ server: app, path: odd, headers }),
  ]);
  return etag;
}
