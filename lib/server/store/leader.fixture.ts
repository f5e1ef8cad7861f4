// A process that leads until it loses the lead, and says so: `tsx leader.fixture.ts CONNECTION_STRING`.
import { once } from "node:events";
import pino from "pino";
import { systemClock } from "@/lib/server/clock";
import { createLeadership } from "./leader";

const NEVER_MS = 3_600_000;

createLeadership({
  database: { connectionString: process.argv[2] ?? "" },
  of: "collector",
  clock: systemClock,
  random: Math.random,
  log: pino({ level: "silent" }),
  // Once only.
  retryMs: NEVER_MS,
  silentMs: NEVER_MS,
  lead: async (signal) => {
    console.log("leads");
    if (!signal.aborted) await once(signal, "abort");
    console.log("has lost");
  },
}).start();
