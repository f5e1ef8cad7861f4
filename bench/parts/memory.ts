import { setTimeout as sleep } from "node:timers/promises";
import { putReady, READY_PATH, startFloor } from "@/bench/floor";
import { apply, fetchOnce, type Load } from "@/bench/load";
import type { MeasuredServer } from "@/bench/measured-server";
import { median } from "@/bench/median";
import { companyOf, snapshotPath, startPlumbline } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ENDPOINTS = 500;
const READS = 4000;
const PAGES = 200;
/** Enough for `READS` and `PAGES` in one minute. */
const SESSIONS = 20;
const SAMPLES = 5;
const BETWEEN_SAMPLES_MS = 500;
const MAX_IDLE_MB = 40;
const MAX_LOADED_MB = 100;

/** Memory of two servers started for this measurement: at rest, and after the same load. */
export async function memory(): Promise<Row[]> {
  const floor = await startFloor();
  const app = await startPlumbline({ sizes: [ENDPOINTS], pollSeconds: 60 });
  try {
    const cookies = await app.signInAgain(SESSIONS);
    const json = { server: app, path: snapshotPath(ENDPOINTS), cookies, status: 200 };
    const idle = [await residentMb(floor), await residentMb(app)] as const;
    const { body } = await fetchOnce({ ...json, headers: { cookie: app.cookie } });
    await putReady(floor, body);
    await load(
      { server: floor, path: READY_PATH, status: 200 },
      { server: floor, path: "/", status: 200 },
    );
    await load(
      { ...json, headers: { "accept-encoding": "br" } },
      { server: app, path: `/${companyOf(ENDPOINTS)}`, cookies, status: 200 },
    );
    const loaded = [await residentMb(floor), await residentMb(app)] as const;
    const row = (when: string, [bare, ours]: readonly [number, number], most: number): Row => ({
      what: `server memory without the database, ${when}`,
      against: "an empty Next app in the same run",
      floor: bare,
      ours,
      unit: "MB",
      goal: { of: "difference", most },
    });
    return [row("idle", idle, MAX_IDLE_MB), row("after load", loaded, MAX_LOADED_MB)];
  } finally {
    await app.stop();
    await floor.stop();
  }
}

async function load(json: Load, page: Load): Promise<void> {
  await apply(json, READS);
  await apply(page, PAGES);
}

/** Resident memory, MB (1,000,000 bytes): the median of several samples. */
async function residentMb(server: MeasuredServer): Promise<number> {
  const looks: number[] = [];
  for (let look = 0; look < SAMPLES; look += 1) {
    await sleep(BETWEEN_SAMPLES_MS);
    looks.push((await server.usage()).residentBytes / 1_000_000);
  }
  return median(looks);
}
