import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import { FleetSection } from "./fleet-section";

const NOW_MS = Date.parse("2026-11-24T14:20:00.000Z");
const company = (slug: string, state: "open" | "ended") => ({
  company: slug,
  incident_id: 7,
  state,
  ended_at: state === "open" ? null : "2026-11-24T14:16:00.000Z",
  ending: state === "open" ? null : ("recovered" as const),
});

test("says how many customers the incident has, since when, and what happened, latest first", () => {
  const html = renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <FleetSection
        nameOf={(slug) => slug.toUpperCase()}
        frozenMs={null}
        fleet={{
          id: "6f1a2c1e-0000-4000-8000-000000000000",
          partner_name: "Procore",
          began_at: "2026-11-24T14:02:00.000Z",
          opened_at: "2026-11-24T14:11:00.000Z",
          ended_at: null,
          ending: null,
          ended: { recovered: 1 },
          companies: [company("fjord", "open"), company("north", "open"), company("tarn", "ended")],
          timeline: [
            {
              at: "2026-11-24T14:11:00.000Z",
              kind: "opened",
              company: null,
              by: null,
              text: "One incident.",
            },
            {
              at: "2026-11-24T14:14:00.000Z",
              kind: "noted",
              company: "north",
              by: "Ana",
              text: "Asked them",
            },
          ],
        }}
      />
    </ClockProvider>,
  );
  const text = html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s{1,9}/g, " ");
  expect(text).toBe(
    " One incident, 2 customers since 14:02 1 customer recovered or left 14:14 NORTH Asked them (Ana) 14:11 One incident. ",
  );
});
