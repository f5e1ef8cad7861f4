import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { subsetFonts } from "./subset-fonts.mjs";

const MADE = path.resolve(import.meta.dirname, "../app/fonts");
/** Size limit of typefaces per page. */
const MAX_BYTES = 60_000;

const made = await subsetFonts();

test("the typefaces in the repository match the script's output", () => {
  for (const [name, content] of made) {
    expect([name, readFileSync(path.join(MADE, name)).equals(content)]).toEqual([name, true]);
  }
});

test("the typefaces include their licence, and both together are below 60 kB", () => {
  expect(made.get("OFL.txt")?.toString()).toContain("SIL OPEN FONT LICENSE Version 1.1");
  const fonts = [...made].filter(([name]) => name.endsWith(".woff2"));
  expect(fonts).toHaveLength(2);
  expect(fonts.reduce((sum, [, { length }]) => sum + length, 0)).toBeLessThan(MAX_BYTES);
});
