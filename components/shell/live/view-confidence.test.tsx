import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LAST_CHECK } from "@/components/shell/words";
import { ClockProvider } from "@/lib/client/use-now";
import { useViewConfidence, useViewHops, type ViewStatus } from "./view-confidence";

const NOW_MS = Date.parse("2026-11-24T14:20:00.000Z");

const SEEN_AT = "2026-11-24T14:19:48.000Z";

const STATUS = {
  receivedMs: NOW_MS,
  isSilent: false,
  isOutdated: false,
  isBlind: false,
  isPast: false,
  partner: null,
};

function LastCheck({ asOf }: { asOf: string | null }) {
  const view = { asOf, delayed: 0, unseen: asOf === null ? 1 : 0, unseenName: "Echo" };
  const status = { ...STATUS, view, isBlind: asOf === null };
  return useViewHops(status, asOf === null ? "blind" : "live", null).find(
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
  expect(lastCheck(SEEN_AT)).toBe("12 s");
  expect(lastCheck(null)).toBe("not known");
});

function Confidence({ view }: { view: ViewStatus["view"] }) {
  const state = useViewConfidence({ ...STATUS, view });
  return `${state?.confidence}: ${state?.detail}; ${state?.note}${state?.isBlind ? "; none" : ""}`;
}

const confidenceOf = (view: ViewStatus["view"]) =>
  renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <Confidence view={view} />
    </ClockProvider>,
  );

test("isn't live with a customer that isn't seen, whether or not its name is known", () => {
  const view = { asOf: SEEN_AT, delayed: 0, unseen: 0, unseenName: undefined };
  expect(confidenceOf(view)).toBe("live: 12 s; ");
  expect(confidenceOf({ ...view, unseen: 1 })).toBe("blind: 1 customer; can’t see 1");
  const named = { ...view, unseen: 1, unseenName: "Echo" };
  expect(confidenceOf(named)).toBe("blind: 1 customer; can’t see Echo");
  expect(confidenceOf({ ...named, asOf: null })).toBe("blind: 1 customer; can’t see Echo; none");
});
