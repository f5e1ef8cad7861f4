import { expect, test } from "vitest";
import type { Because, MyGrant } from "@/lib/contracts/me";
import { grantLines } from "./grant-lines";

const ana: Because = { by: "hand", person: "Ana", at: "2026-11-03T10:00:00.000Z" };
const rule: Because = { by: "rule", rule: 2, claim: "groups", value: "cs-nordics" };
const grant = (role: MyGrant["role"], company: string | null, because: Because): MyGrant => ({
  role,
  company,
  because,
});

test("groups companies by role and reason, in their order", () => {
  const later = { ...ana, at: "2026-11-03T11:00:00.000Z" };
  const other = { ...ana, at: "2026-11-04T10:00:00.000Z" };
  expect(
    grantLines([
      grant("operator", "northgate", ana),
      grant("member", "harbour", rule),
      grant("operator", "quarry", later),
      grant("member", "northgate", rule),
      grant("operator", "orchard", other),
      grant("operator", null, ana),
    ]),
  ).toEqual([
    { role: "operator", companies: ["northgate", "quarry"], because: ana },
    { role: "member", companies: ["harbour", "northgate"], because: rule },
    { role: "operator", companies: ["orchard"], because: other },
    { role: "operator", companies: null, because: ana },
  ]);
});
