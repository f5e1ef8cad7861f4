import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { HereContext, type PartnerHere } from "./partner-here";
import type { PartnerRow, PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { ClockProvider } from "@/lib/client/use-now";
import { FleetSection } from "./fleet-section";

const NOW_MS = Date.parse("2026-11-24T14:20:00.000Z");
const at = (time: string) => `2026-11-24T${time}:00.000Z`;
const company = (slug: string, state: "open" | "ended") => ({
  company: slug,
  incident_id: 7,
  state,
  ended_at: state === "open" ? null : at("14:16"),
  ending: state === "open" ? null : ("recovered" as const),
});
const row = (slug: string, given: Partial<PartnerRow> = {}): PartnerRow => ({
  company: slug,
  confidence: "live",
  standing: "behind",
  verdict: "failing",
  feeds: { total: 4, behind: 2, onTime: 2, counted: 4, names: ["rfis"] },
  quiet: 0,
  since: at("14:02"),
  overdue_since: at("13:50"),
  learned_week: null,
  next_sync_at: at("14:26"),
  incident_id: 7,
  on_it: null,
  told: null,
  owner: null,
  on_time_month: null,
  last_check_at: at("14:19"),
  ...given,
});
const FLEET = {
  id: "6f1a2c1e-0000-4000-8000-000000000000",
  partner_name: "Procore",
  began_at: at("14:02"),
  opened_at: at("14:11"),
  ended_at: null,
  ending: null,
  ended: { recovered: 1 },
  companies: [company("fjord", "open"), company("north", "open"), company("tarn", "ended")],
  steps: [
    { at: at("14:02"), companies: 1 },
    { at: at("14:04"), companies: 3 },
    { at: at("14:16"), companies: 2 },
  ],
  timeline: [
    { at: at("14:11"), kind: "opened" as const, company: null, by: null, text: "One incident." },
    { at: at("14:14"), kind: "noted" as const, company: "north", by: "Ana", text: "Asked them" },
    {
      at: at("14:15"),
      kind: "acknowledged" as const,
      company: "fjord",
      by: "tom@example.com",
      text: "is on it at FJORD",
    },
  ],
};

/** The text of the section, as a person sees it who may handle these companies. */
function drawn(rows: readonly PartnerRow[], handled: readonly string[]) {
  const view: PartnerShown = {
    partner_name: "Procore",
    as_of: at("14:19"),
    on_time_before: ["2026-11-20"],
    never_checked: [],
    theirs_or_ours: { code: "cant_tell", evidence: [] },
    fleet_incident: FLEET,
    api_clock_offsets: {},
    counts: { behind: 2, unseen: 0, cannot_judge: 0, quiet: 0, on_time: 1, paused: 0 },
    unknownFeeds: 0,
    trouble: [...rows],
    onTime: [],
    cut: { trouble: 0, onTime: 0 },
  };
  const names: Record<string, string> = { fjord: "FJORD", north: "NORTH" };
  const here: PartnerHere = {
    received: null,
    isOld: false,
    silence: null,
    refused: null,
    isUnrecorded: false,
    past: null,
    atMs: null,
    isPast: false,
    isSilent: false,
    isOutdated: false,
    isBlind: false,
    frozenMs: null,
    state: { show: null, at: null },
    setState: () => {},
    partner: "Procore",
    nameOf: (slug) => names[slug] ?? slug,
    me: { id: "1", name: "Ana Rask" },
    customers: 3,
    mayHandle: (slug) => handled.includes(slug),
    handlesAny: true,
    result: null,
    setResult: () => {},
  };
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ClockProvider nowMs={NOW_MS}>
        <HereContext value={here}>
          <FleetSection view={view} fleet={FLEET} />
        </HereContext>
      </ClockProvider>
    </QueryClientProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s{1,9}/g, " ");
}

test("says how it stands, who is on it and what happened, latest first", () => {
  const text = drawn(
    [
      row("fjord", { on_it: { name: "Ana Rask", since: at("14:05") } }),
      row("north", { since: at("14:04"), told: { by: "Ana Rask", at: at("14:13") } }),
    ],
    ["fjord", "north"],
  );
  expect(text).toContain(
    "Failing One incident, 2 customers since 14:02, 18 m next attempt in 6 m , 14:26 AR You, 1 of 2 since 14:05 1 of 2 told 1 customer recovered or left Add a note Hand over",
  );
  expect(text).toContain("14:02 FJORD first");
  expect(text).toContain("2 customers, 4 feeds");
  expect(text).toMatch(
    /14:15 tom is on it at FJORD 14:14 NORTH Asked them \(Ana\) 14:11 One incident\. $/,
  );
});

test("offers to take it only while no one is on any of it, and acts only to those who may handle it", () => {
  const rows = [row("fjord"), row("north")];
  expect(drawn(rows, ["north"])).toContain(
    "No one yet 0 of 2 told 1 customer recovered or left I’m on it Add a note",
  );
  expect(drawn(rows, ["harbour"])).not.toMatch(/I’m on it|Add a note|Hand over/);
});

test("dates what it doesn't know of a customer that can't be seen, and calls that now of none", () => {
  const unseen = row("north", { standing: "unseen", verdict: null, last_check_at: at("14:06") });
  const text = drawn([row("fjord"), unseen], []);
  expect(text).toContain("2 customers, 4 feeds 1 not seen since 14:06");
  expect(text).not.toContain("14:20, now");
  expect(drawn([row("fjord"), row("north")], [])).toContain("14:20, now");
});
