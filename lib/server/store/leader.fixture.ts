// A process that leads inside a transaction until it loses leadership, then prints that and the outcome of this
// transaction and of one more: `node leader.fixture.mjs CONNECTION_STRING`.
import { once } from "node:events";
import pino from "pino";
import { systemClock } from "@/lib/server/clock";
import { openDatabase } from "./connect";
import { createLeadership } from "./leader";

const NEVER_MS = 3_600_000;

const log = pino({ level: "silent" });
createLeadership({
  database: await openDatabase(process.argv[2] ?? "", { log }),
  of: "collector",
  clock: systemClock,
  random: Math.random,
  log,
  // Never retries.
  retryMs: NEVER_MS,
  silentMs: NEVER_MS,
  lead: async (signal, writer) => {
    const begun = writer.orm.transaction(async (tx) => {
      console.log("leads");
      if (!signal.aborted) await once(signal, "abort");
      console.log("has lost");
      await tx.execute("select 1");
    });
    await begun.then(
      () => console.log("wrote"),
      () => console.log("failed"),
    );
    await writer.orm
      .transaction((tx) => tx.execute("select 1"))
      .then(
        () => console.log("wrote"),
        (error: unknown) => console.log(error instanceof Error ? error.name : "failed"),
      );
  },
}).start();
