import { expect, test } from "vitest";
import { openIncidentOf, openIncidentsOf } from "./open-incident";

const AT = "2026-11-24T12:40:00.000Z";
const member = (endpoint_id: string, ended_at: string | null) => ({
  endpoint_id,
  began_at: AT,
  ended_at,
});
const incident = {
  id: 7,
  company: { slug: "northgate", name: "Northgate Builders" },
  partner_name: "CMiC",
  began_at: AT,
  acknowledged: null,
  told_at: null,
  api_clock_offset_ms: 0,
  members: [member("timesheets", null), member("contracts", AT)],
};
const open = openIncidentsOf({ data: [incident] });

test("a feed has only an incident that it belongs to, its partner any", () => {
  expect(openIncidentOf(open, "CMiC", null)).toBe(incident);
  expect(openIncidentOf(open, "CMiC", "timesheets")).toBe(incident);
  expect(openIncidentOf(open, "CMiC", "contracts")).toBeUndefined();
  expect(openIncidentOf(open, "CMiC", "pci")).toBeUndefined();
  expect(openIncidentOf(open, "Procore", null)).toBeUndefined();
});
