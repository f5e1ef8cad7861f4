import { expect } from "vitest";
import {
  incidentsTest,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";

// What channels, rules and alerts accept in valid JSON.

const test = incidentsTest();
let channels: string[];
let rule: string;
test.beforeEach(async ({ app }) => {
  await app.begin();
  channels = [
    await made(app, "/channels", { kind: "webhook", name: "Hook", settings: { url: URL } }),
  ];
  rule = await made(app, "/rules", { name: "Everything", channels });
});

const URL = "https://hooks.example";
async function made(app: IncidentsApp, path: string, body: object): Promise<string> {
  const answer = await app.ask("ada", "POST", path, body);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

const ALERTS = { inbox: true, mail: false, only_mine: false };
const BRIEF = { days: ["mon"], at: "08:00", time_zone: "UTC" };

test.for(["a\u0000b", "a\ud800", "\u202egnp", "two\nlines"])(
  "stores the text %j as far as possible, or refuses it, without an error",
  async (text, { app }) => {
    const requests = [
      ["POST", "/channels", { kind: "webhook", name: text, settings: { url: URL } }, 201],
      ["POST", "/channels", { kind: "webhook", name: "x", settings: { url: text } }, 400],
      ["POST", "/channels", { kind: "email", name: "x", settings: { to: text } }, 400],
      ["PATCH", `/channels/${channels[0] ?? ""}`, { name: text }, 200],
      ["POST", "/rules", { name: text, channels, partners: [text] }, 201],
      ["POST", "/rules", { name: "x", channels, companies: [text] }, 400],
      ["PATCH", `/rules/${rule}`, { name: text, partners: [text] }, 200],
      ["POST", "/rules/rehearsal", { partners: [text], brief: BRIEF }, 200],
      ["POST", "/rules/rehearsal", { brief: { ...BRIEF, time_zone: text } }, 400],
      ["PUT", "/me/alerts", { alerts: { ...ALERTS, partners: [text] } }, 200],
      ["POST", "/me/alerts/rehearsal", { partners: [text], brief: BRIEF, only_mine: true }, 200],
      ["POST", "/me/inbox/read", { until: text }, 400],
    ] as const;
    for (const [method, path, body, status] of requests)
      expect([path, (await app.ask("ada", method, path, body)).status]).toEqual([path, status]);
  },
);

test("refuses oversized requests", async ({ app }) => {
  const names = (amount: number) => Array.from({ length: amount }, (_, index) => `p${index}`);
  for (const [more, status] of [
    [{ partners: names(501) }, 400],
    [{ partners: names(10_000) }, 413],
    [{ companies: ["x".repeat(501)] }, 400],
    [{ name: "x".repeat(1_000_000) }, 413],
    [{ channels: Array.from({ length: 51 }, () => channels[0]) }, 400],
    [{ partners: [["x"]] }, 400],
    [{ remind_every_minutes: 1e9 }, 400],
    [{ after_minutes: -1 }, 400],
    [{ promises: "kept" }, 400],
  ] as const) {
    const answer = await app.ask("ada", "POST", "/rules", { name: "x", channels, ...more });
    expect(answer.status).toBe(status);
  }
  expect((await app.ask("ada", "GET", "/rules")).status).toBe(200);
});
