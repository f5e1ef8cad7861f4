import type { PlannedPromise, PromisedFeed } from "@/lib/domain/delivery/plan-promises";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { WRITTEN_MS } from "./story-fixture";

const KEYS = [
  "daily_logs",
  "submittals",
  "rfis",
  "drawings",
  "models",
  "photos",
  "budgets",
  "tasks",
];

/** A promise by 08:00, 38 minutes after `WRITTEN_MS`. @param states one for each feed */
export function promised(
  tells: PlannedPromise["tells"],
  states: readonly PromisedFeed["state"][],
  more: Partial<PlannedPromise["day"]> = {},
): PlannedPromise {
  const dueMs = WRITTEN_MS + 38 * MINUTE_MS;
  const date = "2026-11-23";
  return {
    key: "promise:p1",
    tells,
    dueMs: tells === "at_risk" ? WRITTEN_MS : dueMs + MINUTE_MS,
    day: {
      promiseId: "p1",
      date,
      dueMs,
      limitMs: dueMs,
      risks: [],
      shown: [],
      judged: [],
      isClosed: tells !== "at_risk",
      ...more,
    },
    feeds: states.map((state, index) => ({
      endpointId: KEYS[index] ?? "",
      endpointKey: KEYS[index] ?? "",
      partner: "Procore",
      state,
      attemptMs: index === 0 ? dueMs - 5 * MINUTE_MS : null,
      usualMs: 12 * MINUTE_MS,
    })),
  };
}
