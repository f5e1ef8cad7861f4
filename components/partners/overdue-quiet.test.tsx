import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import OverdueQuiet from "./overdue-quiet";
import { HereContext, type PartnerHere } from "./partner-here";

// A Tuesday.
const NOW_MS = Date.parse("2026-11-24T14:20:00Z");
const WEEK = {
  time_zone: "UTC",
  spans: [{ from: "tue 00:00", until: "tue 13:00" }],
  since: "2026-10-01T00:00:00Z",
};

function drawn(part: "time" | "why", due: string, frozenMs: number | null = null) {
  const here = { frozenMs } as PartnerHere;
  return renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <HereContext value={here}>
        <OverdueQuiet part={part} dueMs={Date.parse(due)} week={WEEK} offsetMs={0} />
      </HereContext>
    </ClockProvider>,
  );
}

test("time in which its learned week is quiet isn't overdue, and that is said", () => {
  expect(drawn("time", "2026-11-24T06:00:00Z")).toBe("1 h 20 m");
  const why = drawn("why", "2026-11-24T06:00:00Z");
  expect(why).toContain('title="learned: quiet from Tue 00:00 to Tue 13:00, UTC"');
  expect(why).toContain(">learned quiet times<");
  const frozenMs = Date.parse("2026-11-24T13:10:00Z");
  expect(drawn("time", "2026-11-24T06:00:00Z", frozenMs)).toBe("10 m");
});

test("all time counts outside of it", () => {
  expect(drawn("time", "2026-11-24T13:50:00Z")).toBe("30 m");
  expect(drawn("why", "2026-11-24T13:50:00Z")).toBe("");
});
