import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isCompanySlug, RESERVED_SLUGS } from "./company-slug";

const APP = path.resolve(import.meta.dirname, "../../app");

/** First segments of our addresses: folders of `app`, without groups, parameters and folders that have no address. */
function firstSegments(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => (name.startsWith("(") ? firstSegments(path.join(folder, name)) : name))
    .filter((name) => !name.startsWith("["));
}

test("reserves every first segment of our addresses", () => {
  const assets = new Set(["fonts", "styles"]);
  const segments = firstSegments(APP).filter((name) => !assets.has(name));
  expect(segments).toContain("settings");
  expect(segments.filter((segment) => !RESERVED_SLUGS.has(segment))).toEqual([]);
});

test.each([
  ["halden", true],
  ["a", true],
  ["a".repeat(40), true],
  ["2-fast", true],
  ["500", false],
  ["", false],
  ["a".repeat(41), false],
  ["Halden", false],
  ["hal den", false],
  ["partners", false],
  ["api", false],
])("judges the slug %j", (slug, isValid) => {
  expect(isCompanySlug(slug)).toBe(isValid);
});
