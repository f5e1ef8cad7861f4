import { expect, test } from "vitest";
import { settingsPages } from "./settings-pages";

const labels = (...grants: Parameters<typeof settingsPages>[0]) =>
  settingsPages(grants).map(({ label }) => label);

test("everybody has a page of their own, and administrators have all", () => {
  expect(labels()).toEqual(["Me"]);
  expect(labels({ role: "viewer", company: null })).toEqual(["Me"]);
  expect(labels({ role: "administrator", company: null })).toEqual([
    "Me",
    "My alerts",
    "Share links",
    "People",
    "Channels",
    "Rules",
    "Displays",
    "Connections",
    "Activity",
  ]);
});

test("whoever may share something of any company, or handles its incidents, has the pages of it", () => {
  expect(labels({ role: "member", company: "northgate" })).toEqual([
    "Me",
    "My alerts",
    "Share links",
  ]);
  expect(labels({ role: "operator", company: null })).toEqual(["Me", "My alerts", "Share links"]);
});
