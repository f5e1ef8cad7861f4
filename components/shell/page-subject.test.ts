import { expect, test } from "vitest";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { pageSubject, rowsAbout } from "./page-subject";

test.each(["Procore", "A/B & 100%", "~x", "..", "Ærø 漢字"])(
  "is the partner or endpoint in the address of %s",
  (name) => {
    expect(pageSubject(partnerPath("main", name))).toEqual({ kind: "partner", partnerName: name });
    expect(pageSubject(`${endpointPath("main", "Procore", name)}?at=x`)).toEqual({
      kind: "endpoint",
      endpointId: name,
    });
  },
);

test("is the company on other pages, except that of an incident", () => {
  for (const path of ["/main", "/main?q=a/partners/b", "/main/report", "/main/incidents", "/"])
    expect(pageSubject(path)).toEqual({ kind: "company" });
  expect(pageSubject("/main/incidents/12")).toEqual({ kind: "incident" });
});

test("selects the matching rows of a snapshot", () => {
  const rows = [
    { id: "1", partner_name: "Procore" },
    { id: "2", partner_name: "Procore" },
    { id: "3", partner_name: "Aconex" },
  ];
  const ids = (...given: Parameters<typeof rowsAbout> extends [unknown, ...infer R] ? R : never) =>
    rowsAbout(rows, ...given).map(({ id }) => id);
  expect(ids({ kind: "company" }, null)).toEqual(["1", "2", "3"]);
  expect(ids({ kind: "partner", partnerName: "Procore" }, null)).toEqual(["1", "2"]);
  expect(ids({ kind: "endpoint", endpointId: "3" }, null)).toEqual(["3"]);
  expect(ids({ kind: "incident" }, null)).toEqual([]);
  expect(ids({ kind: "incident" }, new Set(["2"]))).toEqual(["2"]);
});
