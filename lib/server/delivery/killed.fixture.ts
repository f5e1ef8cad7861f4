/**
 * A sending process that is killed: `node killed.fixture.mjs <plan as JSON>` sends what is due on the given
 * database, and kills itself with SIGKILL at the given step.
 */
import pino from "pino";
import { systemClock } from "@/lib/server/clock";
import { createManualClock } from "@/lib/server/manual-clock";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { openDatabase } from "@/lib/server/store/connect";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import { createSeal, OURS } from "@/lib/server/upstream/seal";
import { createDeliverySend } from "./delivery-send";
import { createOutbox, type OutboxStep } from "./outbox";
import { createSendToChannel } from "./send-to-channel";
import { addressRange } from "@/lib/server/upstream/dial/allowed-targets";
import { createTargetSend } from "./targets";

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
const appUrl = "http://localhost:3000";
const outbox = createOutbox({
  database,
  clock,
  random: () => 0.5,
  log,
  companies: () => [
    { slug: "northgate", name: "Northgate Builders" },
    { slug: "harbour", name: "Harbour" },
    { slug: "quarry", name: "Quarry Stone" },
  ],
  sight: () => null,
  mayRead: () => true,
  mayHaveAlerts: () => true,
  send: createDeliverySend({
    database,
    seal: createSeal([plan.authSecret], OURS, "channel settings"),
    sendToChannel: createSendToChannel({
      send: createTargetSend({
        allowed: ["127.0.0.0/8"].flatMap((text) => addressRange(text) ?? []),
        clock: systemClock,
        proxies: NO_PROXIES,
      }),
      mailer: null,
      clock,
      appUrl,
    }),
    mayRead: () => true,
  }),
  appUrl,
  timeZone: "UTC",
  waitMs: 0,
  onStep(step) {
    if (step === plan.killAt) process.kill(process.pid, "SIGKILL");
  },
});
await outbox.work(database, -Infinity);
process.exit(0);
