import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isPage, PAGES, tooManyPage } from "./pages.mjs";

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

test.each([
  "/",
  "/northgate",
  "/northgate/",
  "/northgate/partners/A%2FB",
  "/northgate/partners/A.B",
  "/settings",
  "/settings/displays",
])("admits the page %s", (address) => expect(isPage(address)).toBe(true));

test.each([
  "/nonsense",
  "/northgate/nonsense",
  "/northgate/partners/",
  "/a/b/c",
  "/settings/nonsense/",
  "/signin/nonsense",
])("has Next render that %s is no page", (address) => expect(isPage(address)).toBe(true));

test.each([
  "/500",
  "/500/schedules",
  "/_next/image",
  "/_next/data/x/northgate.json",
  "/_next",
  "/__nextjs_original-stack-frame",
  "/favicon.ico",
  "/northgate//wall",
  "/northgate/nonsense//",
  "/northgate/favicon.ico",
  "/blog/wp-includes/setup.php",
  "/api",
  "/api/nonsense",
  "/s",
  "/s/token/nonsense",
])("refuses %s", (address) => expect(isPage(address)).toBe(false));

test("reloads a page refused by a rate limit, in the frame of a wall too", () => {
  const page = tooManyPage(7, "/northgate");
  expect(page.status).toBe(429);
  expect(page.headers).toMatchObject({ "retry-after": "7", "cache-control": "private, no-store" });
  expect(page.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(Buffer.from(page.body ?? "").toString()).toContain(
    '<meta http-equiv="refresh" content="7">',
  );
  expect(tooManyPage(7, "/northgate/wall").headers["content-security-policy"]).toContain(
    "frame-ancestors 'self'",
  );
});
