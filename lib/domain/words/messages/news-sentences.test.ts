import { expect, test } from "vitest";
import type { RecordedEvent } from "@/lib/domain/delivery/incident-timeline";
import { newsOf } from "./news-sentences";
import { ruleFoot } from "./message-foot";
import { ago, TIME_ZONE, WRITTEN_MS } from "./story-fixture";

const names = {
  people: new Map([["ana", "Ana Rask"]]),
  endpoints: new Map([["1", "daily_logs"]]),
};
const event = (kind: string, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  seq: 1,
  atMs: WRITTEN_MS,
  kind,
  endpointId: "1",
  byId: null,
  detail: {},
  text: null,
  ...more,
});
const newsOfEvents = (...events: RecordedEvent[]) =>
  newsOf([{ id: "event:1", atMs: WRITTEN_MS, events }], names, {
    nowMs: WRITTEN_MS,
    timeZone: TIME_ZONE,
  });
const saidOf = (...events: RecordedEvent[]) => newsOfEvents(...events).map(({ text }) => text);

test("says what people did, with their name and words", () => {
  const by = { byId: "ana" };
  expect(
    saidOf(
      event("acknowledged", { ...by, text: "Asked Procore support.", detail: { until: ago(-60) } }),
      event("unacknowledged", by),
      event("noted", { ...by, text: "They are looking.", detail: { to_channels: true } }),
      event("owned", { ...by, detail: { owner: { id: "tom", name: "Tom Berg" } } }),
    ),
  ).toEqual([
    "Ana Rask acknowledged it until 08:22: “Asked Procore support.”",
    "Ana Rask withdrew the acknowledgement",
    "Ana Rask: “They are looking.”",
    "Ana Rask handed it to Tom Berg",
  ]);
});

test("tells what got worse apart from what is only shown", () => {
  const joined = event("joined", { detail: { to: "late" } });
  const left = event("left", { detail: { ending: "data_received" } });
  expect(newsOfEvents(joined, left)).toEqual([
    { text: "daily_logs is late too", isMinor: false },
    { text: "daily_logs recovered: data received", isMinor: true },
  ]);
  expect(newsOfEvents()).toEqual([{ text: "The acknowledgement expired", isMinor: false }]);
});

test("keeps what people write on one line, short and in its own order", () => {
  const text = `a\n\u202Eb\u200B ${"🏗".repeat(400)}`;
  const [said = ""] = saidOf(event("noted", { byId: "ana", text }));
  expect(said.startsWith("Ana Rask: “a b 🏗")).toBe(true);
  expect(said.length).toBeLessThan(520);
  expect(said).not.toMatch(/[\n\u202E\u200B]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
});

test("the foot names the rules that sent a message, and where to change them", () => {
  const to = { name: "#ops", isOwn: false };
  const foot = (...rules: string[]) =>
    ruleFoot(
      rules.map((name) => ({ name })),
      to,
      "https://p.example",
    );
  expect(foot("All")).toEqual([
    {
      text: "Sent to #ops by the rule “All”.",
      link: { label: "Change the rule", url: "https://p.example/settings/rules" },
    },
  ]);
  expect(foot("A", "B", "C", "D", "E")[0]?.text).toBe(
    "Sent to #ops by the rules “A”, “B”, “C” and 2 more.",
  );
  expect(foot()[0]?.text).toBe("Sent to #ops because it got the opening; no rule sends more.");
  expect(ruleFoot([], { name: "Ana", isOwn: true }, "https://p.example")[0]?.link?.url).toBe(
    "https://p.example/settings/alerts",
  );
});
