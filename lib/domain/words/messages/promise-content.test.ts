import { expect, test } from "vitest";
import { withContent } from "@/lib/domain/delivery/message";
import { contentText } from "@/lib/domain/delivery/message-content";
import type { PlannedPromise } from "@/lib/domain/delivery/plan-promises";
import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { asSent, promiseContent } from "./promise-content";
import { promised } from "./promise-fixture";
import { TIME_ZONE, WRITTEN_MS } from "./story-fixture";

const contentAt = (planned: PlannedPromise, atMs: number) =>
  promiseContent(planned, {
    company: "Northgate Builders",
    atMs,
    writtenMs: WRITTEN_MS,
    timeZone: TIME_ZONE,
    foot: [],
  });
const textOf = (planned: PlannedPromise, atMs = WRITTEN_MS) =>
  contentText(contentAt(planned, atMs)).split("\n");

test("a changed promise is called at risk no more only if every feed is judged to be in time", () => {
  const title = "Promise changed: Procore at Northgate Builders, by 08:00 CET";
  expect(textOf(promised("at_risk", ["open", "met"]))).toEqual([
    title,
    "Due in 38 m. It isn’t at risk any more.",
    "daily_logs: not at risk.",
    "submittals: kept.",
  ]);
  expect(textOf(promised("at_risk", ["open", "unknown"]))).toEqual([
    title,
    "Due in 38 m.",
    "daily_logs: not at risk.",
    "submittals: can’t tell yet.",
  ]);
  expect(textOf(promised("at_risk", ["at_risk", "unknown"])).slice(0, 2)).toEqual([
    "Promise at risk: Procore at Northgate Builders, by 08:00 CET",
    "Due in 38 m. 1 feed may be late.",
  ]);
});

test("a promise that is neither kept nor missed is called by what became of its feeds", () => {
  expect(textOf(promised("ended", ["not_observed"]))).toEqual([
    "Promise not checked: Procore at Northgate Builders, by 08:00 CET",
    "It counts as neither kept nor missed.",
    "daily_logs: not checked. We couldn’t check whether data arrived in time.",
  ]);
  expect(textOf(promised("ended", ["excused"]))[0]).toBe(
    "Promise excused: Procore at Northgate Builders, by 08:00 CET",
  );
  expect(textOf(promised("ended", ["not_judged", "excused"]))).toEqual([
    "Promise not counted: Procore at Northgate Builders, by 08:00 CET",
    "It counts as neither kept nor missed.",
    "daily_logs: not counted. The promise no longer applied when it was due.",
    "submittals: excused.",
  ]);
  expect(textOf(promised("ended", ["not_observed", "not_observed", "met"]))).toEqual([
    "Promise not fully checked: Procore at Northgate Builders, by 08:00 CET",
    "1 feed received data in time, 2 couldn’t be checked.",
    "daily_logs: not checked. We couldn’t check whether data arrived in time.",
    "submittals: not checked. We couldn’t check whether data arrived in time.",
    "rfis: kept.",
  ]);
  expect(textOf(promised("met", ["excused", "met"])).slice(0, 2)).toEqual([
    "Promise kept: Procore at Northgate Builders, by 08:00 CET",
    "1 feed received data in time, 1 excused.",
  ]);
  // Nothing is known of its feeds.
  expect(textOf(promised("ended", []))).toEqual([
    "Promise not counted: Northgate Builders, by 08:00 CET",
    "It counts as neither kept nor missed.",
  ]);
});

test("names six feeds, with their partners where they have several", () => {
  const states = Array.from({ length: 8 }, () => "at_risk" as const);
  const planned = promised("at_risk", states);
  const text = textOf(planned);
  expect(text).toHaveLength(9);
  expect(text.at(-1)).toBe("and 2 more: 2 at risk");
  const two = { ...planned, feeds: planned.feeds.slice(0, 2) };
  const [one, other] = two.feeds;
  if (one === undefined || other === undefined) throw new Error("feeds are missing");
  expect(textOf({ ...two, feeds: [one, { ...other, partner: "Aconex" }] })).toEqual([
    "Promise at risk: Northgate Builders, by 08:00 CET",
    "Due in 38 m. 2 feeds may be late.",
    "Procore daily_logs: at risk. Next attempt 07:55 usually takes 12 m.",
    "Aconex submittals: at risk. No attempt is scheduled.",
  ]);
});

test("says until when data counts, and names one feed that was at risk", () => {
  const limitMs = WRITTEN_MS + 68 * MINUTE_MS;
  expect(textOf(promised("met", ["met"], { limitMs }))).toEqual([
    "Promise kept: Procore at Northgate Builders, by 08:00 CET",
    "The feed that was at risk received data in time. Data received until 08:30 counts.",
    "daily_logs: kept.",
  ]);
});

test("a warning says how much time is left when it is written, and again when it is sent", () => {
  const planned = promised("at_risk", ["at_risk"]);
  const dueMs = planned.day.dueMs;
  expect(textOf(planned, dueMs - 10 * MINUTE_MS)[1]).toBe("Due in 10 m. 1 feed may be late.");
  const message = withContent(
    {
      id: "msg_1",
      type: "promise.at_risk",
      at: iso(WRITTEN_MS),
      company: { slug: "northgate", name: "Northgate Builders" },
      incident: null,
      promise: { id: "p1", date: planned.day.date, due_at: iso(dueMs), feeds: [] },
      url: "https://plumbline.example/northgate/promises",
    },
    contentAt(planned, WRITTEN_MS),
  );
  const sentAt = (ms: number) => asSent(message, ms).text.split("\n")[1];
  expect(sentAt(WRITTEN_MS)).toBe("Due in 38 m. 1 feed may be late.");
  expect(sentAt(dueMs - 4 * MINUTE_MS)).toBe("Due in 4 m. 1 feed may be late.");
  expect(sentAt(dueMs + 4 * MINUTE_MS)).toBe("Was due 4 m ago. 1 feed may be late.");
  const outcome = { ...message, type: "promise.met" as const };
  expect(asSent(outcome, dueMs)).toBe(outcome);
});
