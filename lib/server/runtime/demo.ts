import { MINUTE_MS } from "@/lib/domain/time/units";
import { deleteDemoPeople, retireDemoPeople } from "@/lib/server/auth/demo-people";
import type { Clock } from "@/lib/server/clock";
import type { DemoControl } from "@/lib/server/demo-control";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import {
  areStillConnected,
  deleteDemoRecord,
  readDemoRemoval,
  requestDemoRemoval,
} from "@/lib/server/store/demo/demo-removal";
import { LOCKS } from "@/lib/server/store/locks";
import type { Notifications } from "@/lib/server/store/notifications";
import { whileLocked } from "@/lib/server/store/while-locked";
import { pause, within } from "@/lib/server/waiting";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import { removeDemoWorld } from "@/lib/v3-service/simulator/remove-demo";

/** The demo of one instance. */
export type Demo = DemoControl & {
  /** Reads again whether it was removed. @returns whether it is on */
  reread(): Promise<boolean>;
  /** @param listener called once, when it ends */
  onEnd(listener: () => void): void;
  /** Learns of a removal requested on any instance, and completes one that was interrupted. */
  start(notifications: Pick<Notifications, "subscribe">): void;
  stop(): Promise<void>;
};

const SLUGS: readonly string[] = DEMO_COMPANIES.map(({ slug }) => slug);
/** In case a notification was lost. */
const REREAD_MS = 3_000;
const RETRY_MS = 2_000;
const LEFT_AFTER_MS = 100;
/** A request waits this long; the browser's own timeout is 10 s. */
const PATIENCE_MS = 5_000;
/** Waits for these locks aren't worth a line in the log: another instance does the same. */
const QUIETLY = { lookEveryMs: 10 * MINUTE_MS };

/**
 * @param options.isConfigured whether the configuration asks for a demo
 * @param options.database of background jobs
 * @param options.service of the v3 service
 */
export async function openDemo(options: {
  isConfigured: boolean;
  database: Database;
  service: Database;
  adminEmail: string;
  clock: Clock;
  log: Log;
}): Promise<Demo> {
  const { isConfigured, database, service, adminEmail, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const listeners: (() => void)[] = [];
  let isOn = isConfigured && (await readDemoRemoval(database.orm)) === "none";
  let following: Promise<void> = Promise.resolve();
  let removing: Promise<void> | null = null;

  function end(): void {
    if (!isOn) return;
    isOn = false;
    for (const listener of listeners) listener();
  }

  async function reread(): Promise<boolean> {
    if (!isConfigured) return false;
    const state = await readDemoRemoval(database.orm);
    if (state !== "none") end();
    if (state === "removing") void complete();
    return isOn;
  }

  /** Removes what is left of it; resolves when nothing is, or on `stop`. */
  function complete(): Promise<void> {
    removing ??= untilRemoved().finally(() => {
      removing = null;
    });
    return removing;
  }

  async function untilRemoved(): Promise<void> {
    while (!signal.aborted) {
      try {
        await whileLocked(
          database.connectionString,
          LOCKS.demo,
          { ...QUIETLY, log, signal },
          removeAll,
        );
        return;
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ err }, "the demo could not be removed completely; tried again in seconds");
        await pause(clock, RETRY_MS, signal);
      }
    }
  }

  /** Instances take turns. */
  async function removeAll(): Promise<void> {
    if ((await readDemoRemoval(database.orm)) !== "removing") return;
    await retireDemoPeople(database, { adminEmail, nowMs: clock.nowMs() });
    // Until the collector has let go of them, which also ends checks in progress.
    while (await areStillConnected(database, SLUGS)) {
      await pause(clock, LEFT_AFTER_MS, signal);
      signal.throwIfAborted();
    }
    await whileLocked(
      database.connectionString,
      LOCKS.demoPast,
      { ...QUIETLY, log, signal },
      async () => {
        await removeDemoWorld(service);
        await deleteDemoRecord(database, SLUGS, clock.nowMs(), () =>
          deleteDemoPeople(database, adminEmail),
        );
      },
    );
    log.info({ event: "demo_removed" }, "the demo was removed");
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      await pause(clock, REREAD_MS, signal);
      if (!isOn && removing === null) return;
      if (!signal.aborted) await reread().catch(() => {});
    }
  }

  return {
    isOn: () => isOn,
    has: (slug) => isOn && SLUGS.includes(slug),
    async remove(change) {
      await requestDemoRemoval(database, change);
      end();
      const done = complete().then((): "removed" => "removed");
      return within(clock, PATIENCE_MS, done, () => "removing");
    },
    reread,
    onEnd: (listener) => void listeners.push(listener),
    start(notifications) {
      if (!isConfigured) return;
      notifications.subscribe("demo", () => void reread().catch(() => {}));
      following = reread()
        .catch(() => {})
        .then(follow);
    },
    async stop() {
      stopping.abort();
      await following;
      await removing;
    },
  };
}
