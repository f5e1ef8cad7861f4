import { expect } from "vitest";
import pino from "pino";
import { createNotifications } from "@/lib/server/store/notifications";
import { systemClock } from "@/lib/server/clock";
import { incidentsTest } from "@/lib/server/operations/incidents/incidents-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { iso } from "@/lib/domain/time/instant";

const test = incidentsTest();
test.beforeAll(async ({ app }) => {
  await app.begin();
});

test("what people do about a company is told to all instances", async ({ app }) => {
  const payloads: (string | null)[] = [];
  let onPayload = () => {};
  const notifications = createNotifications({
    database: app.database,
    clock: systemClock,
    random: Math.random,
    log: pino({ level: "silent" }),
  });
  notifications.subscribe("incidents", (payload) => {
    payloads.push(payload);
    onPayload();
  });
  const next = () => new Promise<void>((resolve) => (onPayload = resolve));
  const listening = next();
  notifications.start();
  await listening;
  const { ana, bo } = app.people;
  const until = iso(app.clock.nowMs() + MINUTE_MS);
  await app.check("northgate", [
    { id: "1", partner: "Procore", key: "rfis", verdict: "failing", overdue: 40 },
  ]);
  const acts = [
    ["PUT", "/companies/northgate/incidents/1/acknowledgement", {}],
    ["PUT", "/companies/northgate/care", { owner: ana.id }],
    [
      "POST",
      "/companies/northgate/expectations",
      { partner: "Procore", reason: "upgrade", from: null, until },
    ],
    ["POST", "/me/handover", { companies: "mine", to: bo.id, until }],
  ] as const;
  for (const [method, path, body] of acts) {
    const told = next();
    const answer = await app.ask("ana", method, path, body);
    expect([path, answer.ok]).toEqual([path, true]);
    await told;
  }
  expect(payloads).toEqual([null, "northgate", "northgate", "northgate", "northgate"]);
  await notifications.stop();
});
