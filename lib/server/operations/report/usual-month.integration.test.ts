import { expect } from "vitest";
import { DAY_MS } from "@/lib/domain/time/units";
import { createManualClock } from "@/lib/server/manual-clock";
import { writeRolledUpDay } from "@/lib/server/store/report/rolled-up-days";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { usualMonth } from "./usual-month";

const test = freshDatabaseTest();

test.for([
  { title: "nothing is on record", days: [], today: "2026-11-12", month: "2026-11" },
  {
    title: "the record begins in this month",
    days: ["2026-11-03", "2026-11-04"],
    today: "2026-11-12",
    month: "2026-11",
  },
  {
    title: "the previous month is closed",
    days: ["2026-10-20", "2026-10-31", "2026-11-01"],
    today: "2026-11-12",
    month: "2026-10",
  },
  {
    title: "the previous month is about to be closed",
    days: ["2026-09-30", "2026-10-30"],
    today: "2026-11-01",
    month: "2026-10",
  },
  {
    title: "the previous month should have been closed long ago",
    days: ["2026-09-30", "2026-10-30"],
    today: "2026-11-12",
    month: "2026-11",
  },
])("opens with $month on $today when $title", async ({ days, today, month }, { db }) => {
  const { database } = db;
  for (const day of days) {
    const fromMs = Date.parse(`${day}T00:00:00Z`);
    const untilMs = fromMs + DAY_MS;
    const own = { day, fromMs, untilMs, timeZone: "UTC", incidents: null };
    await writeRolledUpDay(database, "northgate", own, [], untilMs);
  }
  const clock = createManualClock(Date.parse(`${today}T10:00:00Z`));
  const runtime = { database, clock, config: { reportTimeZone: "UTC" }, connections: [] };
  expect(await usualMonth(runtime, "northgate")).toBe(month);
  expect(await usualMonth(runtime, "harbour")).toBe("2026-11");
});
