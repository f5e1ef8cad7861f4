import { describe, expect, test } from "vitest";
import { findPartner } from "@/components/drill-down/find-partner";
import { rowFixture } from "@/lib/contracts/row-fixture";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { findEndpoint } from "./find-endpoint";

const row = (id: string, partner_name: string, endpoint_key: string) =>
  rowFixture({ id, partner_name, endpoint_key });

const ROWS = [
  row("sc/1", "Procore", "drawings"),
  row("sc-2", "Procore", "rfis"),
  row("sc-3", "Procore", "rfis"),
  row("sc-4", "a/b", "drawings"),
  row("drawings", "Other", "photos"),
  row("sc-5", "Twins", "x"),
  row("sc-6", "twins", "y"),
];
const view = (rows = ROWS, as_of: string | null = "2026-11-19T13:32:07Z") =>
  ({ as_of, rows }) as SyncStatusView;

describe("an endpoint's address", () => {
  const find = (partner: string, endpoint: string) =>
    findEndpoint(view(), "main", partner, endpoint);

  test("is its id below its partner's name", () => {
    expect(find("Procore", "sc%2F1")).toMatchObject({ kind: "here", row: { id: "sc/1" } });
    expect(find("a%2Fb", "sc%2F1")).toEqual({
      kind: "moved",
      path: "/main/partners/Procore/sc%2F1",
    });
    expect(find("procore", "sc%2F1")).toEqual({
      kind: "moved",
      path: "/main/partners/Procore/sc%2F1",
    });
  });

  test("may be its key where that is unique, in any case", () => {
    // Another endpoint's id takes precedence over this one's key.
    expect(find("a%2Fb", "drawings")).toEqual({
      kind: "moved",
      path: "/main/partners/Other/drawings",
    });
    expect(find("A%2FB", "DRAWINGS")).toEqual({
      kind: "moved",
      path: "/main/partners/a%2Fb/sc-4",
    });
    const without = view(ROWS.filter(({ id }) => id !== "drawings"));
    expect(findEndpoint(without, "main", "Procore", "drawings")).toEqual({
      kind: "moved",
      path: "/main/partners/Procore/sc%2F1",
    });
  });

  test("is ambiguous where several have the key, and below a partner name that matches several", () => {
    expect(find("Procore", "rfis")).toBeNull();
    expect(find("TWINS", "x")).toBeNull();
    expect(find("Unknown", "rfis")).toBeNull();
    expect(find("Procore", "~y")).toBeNull();
    expect(find("~y", "Drawings")).toBeNull();
  });
});

describe("a partner's address", () => {
  const find = (segment: string, of = view()) => findPartner(of, "main", segment);

  test("is its exact name", () => {
    expect(find("Procore")).toMatchObject({ kind: "here", name: "Procore" });
    expect(find("Twins")).toMatchObject({ kind: "here", name: "Twins" });
    expect(find("a%2Fb")).toMatchObject({ kind: "here", name: "a/b", rows: [{ id: "sc-4" }] });
  });

  test("may have another case, where that is unambiguous", () => {
    expect(find("procore")).toEqual({ kind: "moved", path: "/main/partners/Procore" });
    expect(find("A%2Fb")).toEqual({ kind: "moved", path: "/main/partners/a%2Fb" });
    expect(find("TWINS")).toBeNull();
    expect(find("Procor")).toBeNull();
  });

  test("may be any name before the first snapshot", () => {
    expect(find("procore", view([], null))).toEqual({ kind: "here", name: "procore", rows: [] });
    expect(find("%E0%A4%A", view([], null))).toBeNull();
  });
});
