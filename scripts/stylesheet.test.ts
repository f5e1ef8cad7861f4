import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const filesIn = (root: string, ending: RegExp) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => ending.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => path.join(root, file));

const textOf = (file: string) => readFileSync(file, "utf8");
const sources = ["app", "components", "lib"].flatMap((root) => filesIn(root, /\.tsx?$/));

/** Classes whose names the code composes, such as `is-${confidence}`. */
const COMPOSED = /^(?:is|run|confidence)-/;

/** Classes that a stylesheet's selectors name. */
function classesOf(css: string): Set<string> {
  const selectors = css.replaceAll(/\/\*[\s\S]*?\*\//g, "").match(/[^{};]+(?=\{)/g) ?? [];
  const found = selectors
    .filter((selector) => !selector.trim().startsWith("@"))
    .flatMap((selector) => [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)])
    .map(([, name = ""]) => name);
  return new Set(found);
}

const TODAY = "app/(pages)/page.tsx";
const PARTNERS = "app/(pages)/partners/layout.tsx";
/** Files of `app/styles/` that only some pages or folders of pages load, by their files. */
const OF_SOME_PAGES: Readonly<Record<string, string | readonly string[]>> = {
  "app/styles/report.css": "app/(pages)/[company]/(company)/report/page.tsx",
  "app/styles/print.css": "app/(pages)/[company]/(company)/report/page.tsx",
  "app/styles/calls.css": "app/(pages)/[company]/(company)/api-calls/page.tsx",
  "app/styles/today.css": TODAY,
  "app/styles/companies.css": "app/(pages)/companies/page.tsx",
  "app/styles/partners.css": PARTNERS,
  "app/styles/flat-rows.css": [TODAY, PARTNERS],
  "app/styles/overview.css": "app/(pages)/[company]/(company)/page.tsx",
  "app/styles/files.css": "app/(pages)/[company]/(company)/schedules/page.tsx",
};

describe("the stylesheet", () => {
  test("is one: components have utilities, and only the grid has a file", () => {
    expect(filesIn("components", /\.css$/)).toEqual(["components/grid/grid.css"]);
    const importing = sources.filter((file) => /^import ".*\.css";$/m.test(textOf(file)));
    const pages = new Set(Object.values(OF_SOME_PAGES).flat());
    expect(importing.toSorted()).toEqual(
      [...pages, "app/(pages)/layout.tsx", "app/layout.tsx"].toSorted(),
    );
  });

  test("imports every file of its folder, but those of some pages", () => {
    const imported = [...textOf("app/globals.css").matchAll(/@import "(.+?)"/g)].map(
      ([, file = ""]) => path.join("app", file),
    );
    const own = Object.keys(OF_SOME_PAGES);
    const shared = filesIn("app/styles", /\.css$/).filter((file) => !own.includes(file));
    expect(shared.length).toBeGreaterThan(3);
    expect(imported).toEqual(expect.arrayContaining(shared));
    expect(imported.filter((file) => own.includes(file))).toEqual([]);
    for (const [file, pages] of Object.entries(OF_SOME_PAGES))
      for (const page of [pages].flat()) expect(textOf(page)).toContain(`import "@/${file}";`);
  });

  test("names no class that the code doesn't use", () => {
    const code = sources.map(textOf).join("\n");
    const words = new Set(code.match(/[a-zA-Z][\w-]*/g));
    const css = [...filesIn("app/styles", /\.css$/), "components/grid/grid.css"].map(textOf);
    const classes = [...classesOf(css.join("\n"))];
    expect(classes.length).toBeGreaterThan(100);
    expect(classes.filter((name) => !words.has(name) && !COMPOSED.test(name))).toEqual([]);
  });
});
