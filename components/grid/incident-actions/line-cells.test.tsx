import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { OpenIncident } from "@/components/marks/open-incident";
import { OpenIncidentsProvider } from "@/components/marks/open-incidents";
import { expectation } from "@/components/quiet/expectation-fixture";
import { QuietMark } from "@/components/quiet/quiet-mark";
import { QuietProvider } from "@/components/quiet/quiet-marks";
import { CompanyThenProvider, type LiveCompany } from "@/components/shell/live-company";
import { view } from "@/components/wall/wall-fixture";
import { quietQuery } from "@/lib/client/queries/quiet";
import { ClockProvider } from "@/lib/client/use-now";
import type { Expectation } from "@/lib/contracts/quiet";
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
  quiet?: Expectation["quiet"];
  mayHandle?: boolean;
  confidence?: LiveCompany["confidence"];
}): string {
  const { source } = view([ROW], {});
  const { incidents, quiet, mayHandle = true, confidence = "live" } = given;
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
  const client = new QueryClient();
  client.setQueryData(["part", "quiet-mark"], { QuietMark });
  client.setQueryData(quietQuery("a").queryKey, {
    view: {
      data: quiet === undefined ? [] : [expectation({ partner_name: ROW.partner_name, quiet })],
      meta: { page: 1, per_page: 200, total_count: 1, total_pages: 1 },
      api_clock_offset_ms: 0,
    },
    etag: null,
    isConfirmed: true,
  });
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <ClockProvider nowMs={NOW_MS}>
        <CompanyThenProvider value={live}>
          <OpenIncidentsProvider first={incidents}>
            <QuietProvider>
              <LineActsProvider mayHandle={mayHandle}>
                <LineCells row={ROW} lineKey={`row:${ROW.id}`} />
              </LineActsProvider>
            </QuietProvider>
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

test("no incident is announced of a feed in planned quiet", () => {
  const until = minutesAgo(-60);
  const html = drawn({ incidents: [], quiet: { from: minutesAgo(5), until } });
  expect(html).toContain(actWords.quiet);
  expect(html).not.toContain(actWords.noIncident);
  expect(drawn({ incidents: [], quiet: { from: minutesAgo(-5), until } })).toContain(
    actWords.noIncident,
  );
});
