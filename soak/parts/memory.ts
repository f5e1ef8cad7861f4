import { setTimeout as sleep } from "node:timers/promises";
import { fetchOnce } from "@/bench/load";
import { median } from "@/bench/median";
import { snapshotPath, startPlumbline, type Plumbline } from "@/bench/plumbline";
import { run } from "@/scripts/steps.mjs";

/** Of each company: so many snapshots a second, and none like the other's. */
const ENDPOINTS = [500, 400, 300];
const TABS = 3;
/** The server remembers some of everything that it was asked; by now it has. */
const WARM = 1_000;
const SAMPLED_EVERY = 100;
/** What the second half may hold more than the first, of what is left when all garbage is gone. */
const MOST_MB = 5;

/**
 * Snapshot after snapshot, each read by three tabs in every encoding and once under an address of its own:
 * the server's memory has to stay where it was.
 * @param snapshots how many are read after it has warmed up
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
  return after - before <= MOST_MB;
}

/** Reads a company's snapshot as its tabs would, and once oddly, if it is another than `before`. @returns its ETag */
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
