import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Folders with text of pages. */
const ROOTS = ["app", "components", "lib/domain"];

function sourcesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => path.join(root, file));
}

/** Without comments, which may use either apostrophe. */
function codeOf(source: string): string {
  return source.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "");
}

test("pages use only typographic apostrophes", () => {
  const straight = ROOTS.flatMap(sourcesIn).flatMap((file) =>
    codeOf(readFileSync(file, "utf8"))
      .split("\n")
      .filter((line) => /[\p{L}}]'\p{L}/u.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(straight).toEqual([]);
});
