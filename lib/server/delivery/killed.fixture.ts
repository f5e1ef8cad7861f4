/**
 * A sending process that is killed: `node killed.fixture.mjs <plan as JSON>` sends what is due on the given
 * database, and kills itself with SIGKILL at the given step.
 */
import pino from "pino";
import { createManualClock } from "@/lib/server/manual-clock";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { openDatabase } from "@/lib/server/store/connect";
import { createSeal, OURS } from "@/lib/server/upstream/seal";
import { createDeliverySend } from "./delivery-send";
import type { OutboxStep } from "./outbox";
import { createLocalSendToChannel, createTestOutbox } from "./outbox-fixture";

export type Plan = {
  connectionString: string;
  nowMs: number;
  authSecret: string;
  /** Null: not killed, or killed from outside. */
  killAt: OutboxStep | null;
};

const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const clock = createManualClock(plan.nowMs);
const log = pino({ level: "silent" });
const database = await openDatabase(plan.connectionString, { log, audit: TEST_AUDIT });
const outbox = createTestOutbox({
  database,
  clock,
  log,
  companies: () => [
    { slug: "northgate", name: "Northgate Builders" },
    { slug: "harbour", name: "Harbour" },
    { slug: "quarry", name: "Quarry Stone" },
  ],
  visibilityOf: () => null,
  send: createDeliverySend({
    database,
    seal: createSeal([plan.authSecret], OURS, "channel settings"),
    sendToChannel: createLocalSendToChannel({ clock }),
    mayRead: () => true,
  }),
  onStep(step) {
    if (step === plan.killAt) process.kill(process.pid, "SIGKILL");
  },
});
await outbox.work(database, -Infinity);
process.exit(0);
