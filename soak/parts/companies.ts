import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { startCrowd, startCrowdedHost } from "@/lib/server/collector/crowded-host-fixture";
import { createManualClock } from "@/lib/server/manual-clock";
import { openStore } from "@/lib/server/store/open-store";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const COMPANIES = 500;
/** The API's own limits. */
const LIMITS = { requestsPerMinute: 60, tokenRequestsPerMinute: 10 };
const FIRST_WITHIN_MINUTES = 60;
const RESTARTED_WITHIN_MINUTES = 15;
/** Multiple of the reported rhythm. */
const OLDEST = 1.5;

/**
 * Five hundred companies at one host with the API's own limits, in simulated time: when each is first seen, how old its
 * snapshot gets, and when it is seen after a restart.
 * @param hours simulated hours after the first
 * @returns whether all promises held
 */
export async function companies(hours: number): Promise<boolean> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "plumbline-soak-"));
  const log = pino({ level: "silent" });
  const config = { databaseUrl: null, databaseMigrationUrl: null, dataDir };
  const store = await openStore(config, { log, max: 10 });
  const clock = createManualClock(START_MS);
  const host = await startCrowdedHost(clock, LIMITS, (nowMs) => sampleRows(2, nowMs));
  const { database } = store;
  const given = { clock, database, host, limits: LIMITS, count: COMPANIES };
  const say = (words: string) => void process.stdout.write(`  ${words}\n`);
  try {
    let crowd = startCrowd(given);
    await crowd.start();
    let minutes = 0;
    while (crowd.missing() > 0 && minutes < 2 * FIRST_WITHIN_MINUTES) {
      await crowd.pass(MINUTE_MS);
      minutes += 1;
    }
    say(`first start: every company has a snapshot after ${minutes} min`);
    const rhythmMs = 1000 * (crowd.snapshots.get(crowd.slugs[0] ?? "")?.state.rhythmSeconds ?? 0);

    let oldestMs = 0;
    await crowd.pass(hours * 60 * MINUTE_MS, () => {
      for (const slug of crowd.slugs)
        oldestMs = Math.max(oldestMs, crowd.snapshots.ageMs(slug) ?? Number.POSITIVE_INFINITY);
    });
    const oldest = oldestMs / rhythmMs;
    say(
      `the rhythm is ${Math.round(rhythmMs / 1000)} s; in ${hours} h no snapshot was older than ${oldest.toFixed(2)} times that`,
    );

    await crowd.stop();
    const restartedMs = clock.nowMs();
    crowd = startCrowd(given);
    await crowd.start();
    const isSeen = (slug: string) => (crowd.snapshots.get(slug)?.state.asOfMs ?? 0) > restartedMs;
    let again = 0;
    while (!crowd.slugs.every(isSeen) && again < 2 * RESTARTED_WITHIN_MINUTES) {
      await crowd.pass(MINUTE_MS);
      again += 1;
      const late = crowd.slugs.filter((slug) => !isSeen(slug)).length;
      if (again === RESTARTED_WITHIN_MINUTES) say(`${late} have none after ${again} min`);
    }
    say(`restart: every company has a new snapshot after ${again} min`);
    say(
      `${host.tokenRequests.length} token requests and ${host.polls.length} polls, ${host.refused()} beyond the limits`,
    );
    await crowd.stop();
    return (
      minutes <= FIRST_WITHIN_MINUTES &&
      oldest <= OLDEST &&
      again <= RESTARTED_WITHIN_MINUTES &&
      host.refused() === 0
    );
  } finally {
    await host.close();
    await store.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
