import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import type { IncidentView, TimelineEvent } from "@/lib/contracts/incidents";
import { incidentFixture } from "./incident-fixture";
import { Timeline } from "./timeline";

const SEEN = ["opened", "joined", "worsened", "eased", "left", "flapped", "ended"] as const;

test("every change that a check found has an icon", () => {
  const timeline = SEEN.map((kind, seq): TimelineEvent => ({
    seq,
    at: "2026-11-23T08:00:00Z",
    kind,
    by: null,
    by_id: null,
    text: "rfis changed",
    endpoint_id: "r1",
    endpoint_key: "rfis",
    until: null,
    told_customer: false,
  }));
  const incident = { ...incidentFixture(), timeline } as unknown as IncidentView;
  const html = renderToStaticMarkup(
    <ClockProvider nowMs={Date.parse("2026-11-23T10:00:00Z")}>
      <Timeline incident={incident} />
    </ClockProvider>,
  );
  const entries = html.split("<li").slice(1);
  expect(entries).toHaveLength(SEEN.length + 1);
  expect(entries.filter((entry) => !entry.includes("<svg"))).toEqual([]);
});
