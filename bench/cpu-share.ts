import { setTimeout as sleep } from "node:timers/promises";
import type { Plumbline } from "./plumbline";

/** Of all threads of the server's process, and of its database; 1 is a whole core. */
export type CpuShare = { server: number; database: number };

/** CPU that the app takes from now on. */
export async function cpuShare(app: Plumbline, watchedMs: number): Promise<CpuShare> {
  const [before, databaseMs, startedMs] = [
    await app.usage(),
    app.databaseCpuMs(),
    performance.now(),
  ];
  await sleep(watchedMs);
  const after = await app.usage();
  const tookMs = performance.now() - startedMs;
  return {
    server: (after.cpuMs - before.cpuMs) / tookMs,
    database: (app.databaseCpuMs() - databaseMs) / tookMs,
  };
}
