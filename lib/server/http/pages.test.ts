import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isPage, PAGES } from "./pages.mjs";

const root = path.resolve(import.meta.dirname, "../../../app");

/** The addresses of all files with a name under `app/`. */
function addressesOf(name: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === name)
    .map((file) => `/${path.dirname(file)}`.replace(/\/\([^)]*\)/g, "").replace(/^\/?\.?$/, "/"))
    .toSorted();
}

test("admits exactly the existing pages", () => {
  expect(PAGES.toSorted()).toEqual(addressesOf("page.tsx"));
});

test.each(["/", "/northgate", "/northgate/", "/northgate/partners/A%2FB", "/settings/displays"])(
  "admits the page %s",
  (address) => expect(isPage(address)).toBe(true),
);

test.each([
  "/_next/image",
  "/_next/data/x/northgate.json",
  "/_next",
  "/__nextjs_original-stack-frame",
  "/favicon.ico",
  "/a/b/c",
  "/northgate//wall",
  "/northgate/partners/",
  "/settings",
])("refuses %s", (address) => {
  expect(isPage(address)).toBe(address === "/settings");
});
