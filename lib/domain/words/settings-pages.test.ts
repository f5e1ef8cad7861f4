import { expect, test } from "vitest";
import { settingsPages } from "./settings-pages";

const labels = (...grants: Parameters<typeof settingsPages>[0]) =>
  settingsPages(grants).map(({ label }) => label);

test("lists the personal pages for everyone, and all pages for administrators", () => {
  expect(labels()).toEqual(["Me", "API tokens"]);
  expect(labels({ role: "viewer", company: null })).toEqual(["Me", "API tokens"]);
  expect(labels({ role: "administrator", company: null })).toEqual([
    "Me",
    "My alerts",
    "Share links",
    "People",
    "Channels",
    "Rules",
    "Displays",
    "Connections",
    "API tokens",
    "Activity",
  ]);
});

test("lists the pages of share links and incidents with that right at any company", () => {
  expect(labels({ role: "member", company: "northgate" })).toEqual([
    "Me",
    "My alerts",
    "Share links",
    "API tokens",
  ]);
  expect(labels({ role: "operator", company: null })).toEqual([
    "Me",
    "My alerts",
    "Share links",
    "API tokens",
  ]);
});
