import { setTimeout as sleep } from "node:timers/promises";
import { fetchOnce } from "@/bench/load";
import { median } from "@/bench/median";
import { snapshotPath, startPlumbline } from "@/bench/plumbline";
import { run } from "@/scripts/steps.mjs";

const ENDPOINTS = 500;
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
  const app = await startPlumbline({ sizes: [ENDPOINTS], pollSeconds: 1 });
  const samples: number[] = [];
  try {
    const path = snapshotPath(ENDPOINTS);
    let etag = "";
    for (let seen = 0; seen < WARM + snapshots;) {
      const headers = { cookie: app.cookie, "accept-encoding": "br" };
      const now = await fetchOnce({ server: app, path, headers });
      if (now.etag === etag) {
        await sleep(20);
        continue;
      }
      etag = now.etag;
      seen += 1;
      const others = Array.from({ length: TABS - 1 }, () =>
        fetchOnce({ server: app, path, headers }),
      );
      const gzip = { ...headers, "accept-encoding": "gzip" };
      const odd = `${path}?${"x".repeat(8_000)}${seen}`;
      await Promise.all([
        ...others,
        fetchOnce({ server: app, path, headers: gzip }),
        fetchOnce({ server: app, path: odd, headers }),
      ]);
      if (seen % SAMPLED_EVERY !== 0) continue;
      app.collectGarbage();
      await sleep(500);
      const { residentBytes } = await app.usage();
      process.stdout.write(`${seen} snapshots: ${(residentBytes / 1e6).toFixed(1)} MB\n`);
      if (seen > WARM) samples.push(residentBytes / 1e6);
    }
  } finally {
    await app.stop();
  }
  const half = Math.floor(samples.length / 2);
  const [before, after] = [median(samples.slice(0, half)), median(samples.slice(half))];
  process.stdout.write(`first half ${before.toFixed(1)} MB, second ${after.toFixed(1)} MB\n`);
  return after - before <= MOST_MB;
}
