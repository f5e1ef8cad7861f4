import { expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { missingEndpoint, missingPartner } from "./missing";

const ROWS = [
  rowFixture({ id: "1", partner_name: "Procore", endpoint_key: "submittals" }),
  rowFixture({ id: "2", partner_name: "Procore", endpoint_key: "rfis" }),
  rowFixture({ id: "3/4", partner_name: "Procore", endpoint_key: "rfis" }),
  rowFixture({ id: "5", partner_name: "Primavera", endpoint_key: "drawings" }),
];

test("suggests similar partner names", () => {
  const { title, text, near } = missingPartner(ROWS, "Procor", "main", "Northgate");
  expect(title).toBe("No partner “Procor”");
  expect(text).toBe(
    "Northgate has no such partner. It may have been renamed or removed, or the link may be incomplete.",
  );
  expect(near[0]).toEqual({ label: "Procore", href: "/main/partners/Procore" });
  expect(missingPartner(ROWS, null, "main", "Northgate").near).toEqual([]);
});

test("suggests the partner's endpoints, the most likely first", () => {
  const { title, near } = missingEndpoint(ROWS, "Procore", "submital", "main");
  expect(title).toBe("Procore has no such feed");
  expect(near.map(({ label }) => label)).toEqual(["submittals", "rfis", "rfis"]);
  expect(missingEndpoint(ROWS, "Procore", null, "main").near).toHaveLength(3);
});

test("offers a choice by id for a key that several endpoints have", () => {
  expect(missingEndpoint(ROWS, "Procore", "RFIs", "main")).toEqual({
    title: "Procore has 2 feeds named “RFIs”",
    text: "Their IDs differ.",
    lead: "Choose one:",
    end: ".",
    near: [
      { label: "2", href: "/main/partners/Procore/2" },
      { label: "3/4", href: "/main/partners/Procore/3%2F4" },
    ],
  });
});
