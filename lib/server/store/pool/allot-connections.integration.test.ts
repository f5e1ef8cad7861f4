import { once } from "node:events";
import { sql } from "drizzle-orm";
import pino from "pino";
import { expect } from "vitest";
import { createAuth } from "@/lib/server/auth/auth";
import { systemClock } from "@/lib/server/clock";
import { appTest, SESSION_MS } from "@/lib/server/gate/app-fixture";
import { getReadiness } from "@/lib/server/operations/health/get-health";
import { allotConnections } from "./allot-connections";
import { createDatabaseTime } from "@/lib/server/store/database-time";
import type { Writer } from "@/lib/server/store/database";
import { createLeadership } from "@/lib/server/store/leader";

const test = appTest();

test("stays ready and keeps leading while requests and background jobs use up their connections", async ({
  app,
}) => {
  const { database, clock, runtime } = app;
  const { kept, background } = allotConnections(database);
  const auth = createAuth({
    ...runtime,
    database,
    sessionMs: SESSION_MS,
    isWallFramed: false,
    time: createDatabaseTime({ database: kept, clock, log: runtime.log }),
  });
  const events: string[] = [];
  let writer: Writer | null = null;
  const leadership = createLeadership({
    database: background,
    of: "collector",
    clock: systemClock,
    random: Math.random,
    log: pino({ level: "silent" }),
    retryMs: 20,
    lead: async (signal, writes) => {
      writer = writes;
      events.push("leads");
      if (!signal.aborted) await once(signal, "abort");
      events.push("has lost");
    },
  });
  const held = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
  const waiting = Array.from({ length: 50 }, () => database.pool.query("select 1"));
  try {
    leadership.start();
    await expect.poll(() => events).toEqual(["leads"]);
    await (writer as Writer | null)?.orm.transaction((tx) => tx.execute(sql`select 1`));

    const busy = await Promise.all(Array.from({ length: 6 }, () => background.pool.connect()));
    const ready = await getReadiness({
      ...runtime,
      auth,
      clock,
      snapshots: { ageMs: () => null },
      recording: { stopped: () => null },
    });
    expect([ready.status, ((await ready.json()) as { database: string }).database]).toEqual([
      200,
      "ok",
    ]);
    for (const client of busy) client.release();
    expect(events).toEqual(["leads"]);
  } finally {
    for (const client of held) client.release();
    await Promise.all(waiting);
    await leadership.stop();
  }
});
