/**
 * A deleting process that is killed: `node killed.fixture.mjs <plan as JSON>` deletes files on the given
 * database and kills itself with SIGKILL the nth time it reaches the given step, or once it has accepted the
 * deletion. Time passes as fast as possible. Prints the deletion's id first.
 */
import pino from "pino";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import { createManualClock, eventually } from "@/lib/server/manual-clock";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { openDatabase } from "@/lib/server/store/connect";
import { ask, startInstance, untilLeading } from "./deletions-fixture";
import type { Step } from "./delete-file";

export type Plan = {
  connectionString: string;
  api: { baseUrl: string; clientId: string; clientSecret: string };
  startMs: number;
  files: ServedScheduleFile[];
  /** Null: killed from outside. */
  killAt: { step: Step | "accepted"; nth: number } | null;
};

const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const clock = createManualClock(plan.startMs);
const database = await openDatabase(plan.connectionString, {
  log: pino({ level: "silent" }),
  audit: TEST_AUDIT,
});
let times = 0;
const { worker } = startInstance({
  database,
  clock,
  api: plan.api,
  signal: new AbortController().signal,
  more: {
    onStep: (step) => {
      if (step !== plan.killAt?.step) return;
      times += 1;
      if (times === plan.killAt.nth) process.kill(process.pid, "SIGKILL");
    },
  },
});
await untilLeading(database, clock);
const id = await ask(database, clock, plan.files);
worker.accept(id);
await new Promise((written) => void process.stdout.write(`${id}\n`, written));
if (plan.killAt?.step === "accepted") process.kill(process.pid, "SIGKILL");
await eventually(clock, () => false);
