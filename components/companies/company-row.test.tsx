import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ClockProvider } from "@/lib/client/use-now";
import type { Counts } from "@/lib/domain/order";
import { companyFixture } from "./company-fixture";
import { CompanyRow } from "./company-row";

const NOW_MS = Date.parse("2026-03-02T12:00:12Z");

/** What the cell under "Needs attention" says. */
function attention(counts: Partial<Counts>) {
  const html = renderToStaticMarkup(
    <ClockProvider nowMs={NOW_MS}>
      <CompanyRow
        company={companyFixture("a", { counts })}
        isCounted
        isServerSilent={false}
        place={0}
      />
    </ClockProvider>,
  );
  const cell = /class="fleet-attention">(.*?)<span role="cell"/s.exec(html)?.[1] ?? "";
  return [
    cell.startsWith("none") ? "none" : null,
    ...[...cell.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label),
  ].filter((one) => one !== null);
}

test("unknown feeds stand beside those that need attention, and aren't among them", () => {
  expect(attention({})).toEqual(["none"]);
  expect(attention({ unknown: 1 })).toEqual(["none", "1 unknown"]);
  expect(attention({ failing: 1, late: 2 })).toEqual(["1 failing, 2 late"]);
  expect(attention({ failing: 1, late: 2, unknown: 3 })).toEqual([
    "1 failing, 2 late",
    "3 unknown",
  ]);
});
