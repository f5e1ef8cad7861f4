import { expect, test } from "vitest";
import { incidentsCsvPath } from "./incident-lists";

test("the CSV of incidents has the filter and the search of the page", () => {
  const path = "/api/companies/northgate/incidents/csv";
  expect(incidentsCsvPath("northgate", { show: "open", q: "" })).toBe(path);
  expect(incidentsCsvPath("northgate", { show: "late", q: "sage rfis" })).toBe(
    `${path}?state=open&verdict=late&q=sage+rfis`,
  );
});
