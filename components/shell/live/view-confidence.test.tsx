import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LAST_CHECK } from "@/components/shell/words";
import { ClockProvider } from "@/lib/client/use-now";
import { useViewHops } from "./view-confidence";

const NOW_MS = Date.parse("2026-11-24T14:20:00.000Z");

function LastCheck({ asOf }: { asOf: string | null }) {
  const view = { asOf, delayed: 0, unseen: asOf === null ? ["Echo"] : [] };
  const status = { view, partner: null, receivedMs: NOW_MS, isSilent: false, isOutdated: false };
  const of = { ...status, isBlind: asOf === null, isPast: false };
  return useViewHops(of, asOf === null ? "blind" : "live", null).find(
    ({ name }) => name === LAST_CHECK,
  )?.text;
}

const lastCheck = (asOf: string | null) =>
  renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <LastCheck asOf={asOf} />
    </ClockProvider>,
  );

test("doesn't say of customers that aren't seen that they were never checked", () => {
  expect(lastCheck("2026-11-24T14:19:48.000Z")).toBe("12 s");
  expect(lastCheck(null)).toBe("not known");
});
