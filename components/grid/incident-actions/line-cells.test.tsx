import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { OpenIncident } from "@/components/marks/open-incident";
import { OpenIncidentsProvider } from "@/components/marks/open-incidents";
import { CompanyThenProvider, type LiveCompany } from "@/components/shell/live-company";
import { view } from "@/components/wall/wall-fixture";
import { ClockProvider } from "@/lib/client/use-now";
import { NOW_MS, minutesAgo, row } from "@/lib/domain/row-fixture";
import { LineActsProvider } from "./line-acts";
import { LineCells } from "./line-cells";
import { actWords } from "./words";

const ROW = row({});
const INCIDENT: OpenIncident = {
  id: 1,
  company: { slug: "a", name: "A" },
  partner_name: ROW.partner_name,
  began_at: minutesAgo(30),
  acknowledged: null,
  told_at: null,
  api_clock_offset_ms: 0,
  members: [{ endpoint_id: ROW.id, began_at: minutesAgo(30), ended_at: null }],
};
const BY = {
  by: "Tom Berg",
  by_id: crypto.randomUUID(),
  is_you: false,
  at: minutesAgo(5),
  until: null,
};

function drawn(given: {
  incidents: readonly OpenIncident[] | null;
  mayHandle?: boolean;
  confidence?: LiveCompany["confidence"];
}): string {
  const { source } = view([ROW], {});
  const { incidents, mayHandle = true, confidence = "live" } = given;
  const live: LiveCompany = {
    slug: "a",
    name: "A",
    mayConnect: false,
    asOf: minutesAgo(0),
    source,
    view: null,
    ledgerRows: [],
    lastResponseMs: NOW_MS,
    isServerSilent: false,
    silence: null,
    confidence,
    linked: "",
  };
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ClockProvider nowMs={NOW_MS}>
        <CompanyThenProvider value={live}>
          <OpenIncidentsProvider first={incidents}>
            <LineActsProvider mayHandle={mayHandle}>
              <LineCells row={ROW} lineKey={`row:${ROW.id}`} />
            </LineActsProvider>
          </OpenIncidentsProvider>
        </CompanyThenProvider>
      </ClockProvider>
    </QueryClientProvider>,
  );
}

test("an unacknowledged incident can be taken by those who may handle it", () => {
  const html = drawn({ incidents: [INCIDENT] });
  expect(html).toContain("No one yet");
  expect(html).toContain(actWords.take);
  expect(drawn({ incidents: [INCIDENT], mayHandle: false })).not.toContain(actWords.take);
});

test("an acknowledged incident names the person, and can't be taken", () => {
  const html = drawn({ incidents: [{ ...INCIDENT, acknowledged: BY }] });
  expect(html).toContain("Tom Berg");
  expect(html).not.toContain(actWords.take);
  expect(html).toContain(actWords.tell);
});

test("says when the customer was told", () => {
  const html = drawn({ incidents: [{ ...INCIDENT, told_at: minutesAgo(5) }] });
  expect(html).toContain(actWords.told(""));
  expect(html).not.toContain(`>${actWords.tell}<`);
});

test("nothing is acknowledged while the company can't be checked", () => {
  expect(drawn({ incidents: [INCIDENT], confidence: "blind" })).not.toContain(actWords.take);
});

test("no incident is only said where incidents are known", () => {
  expect(drawn({ incidents: [] })).toContain(actWords.noIncident);
  expect(drawn({ incidents: null })).not.toContain(actWords.noIncident);
});
