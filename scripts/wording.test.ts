import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Visitor, parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const FOLDERS = ["app", "bench", "components", "e2e", "lib", "scripts", "simulation", "soak"];

const BANNED =
  /\b(?:somebody|someone|whoever|nobody|anybody|anyone|in\s+vain|anew|by\s+itself|goes\s+on)\b/gi;

function sourcesIn(folder: string, recursive: boolean): string[] {
  return readdirSync(folder, { recursive, encoding: "utf8" })
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.includes(".next"))
    .map((file) => path.join(folder, file));
}

/**
 * Blanks out everything but comments and the titles of `describe`, `it` and `test` calls, `.each` included. Offsets and
 * line breaks remain, so that a phrase is also found across two lines of a comment.
 */
function onlyProse(file: string, source: string): string {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} can't be parsed`);
  const ranges = comments.map(({ start, end }) => ({ start, end }));
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (title?.type !== "Literal" && title?.type !== "TemplateLiteral") return;
      if (!/^(?:describe|it|test)\b/.test(source.slice(callee.start, callee.end))) return;
      ranges.push({ start: title.start, end: title.end });
    },
  }).visit(program);
  let prose = "";
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    prose += source.slice(prose.length, start).replaceAll(/[^\n]/g, " ");
    prose += withoutMarks(source.slice(start, end));
  }
  return prose;
}

/** Blanks out what begins the lines of comments. */
const withoutMarks = (text: string) =>
  text.replaceAll(/^\s*(?:\/\/|\*)/gm, (mark) => mark.replaceAll(/\S/g, " "));

/** @returns `file:line: phrase` for each banned phrase */
function bannedIn(file: string, source: string): string[] {
  // Parsing takes far longer, and few files have any.
  if (withoutMarks(source).search(BANNED) < 0) return [];
  const prose = onlyProse(file, source);
  return Array.from(prose.matchAll(BANNED), ({ 0: phrase, index }) => {
    const line = prose.slice(0, index).split("\n").length;
    return `${file}:${line}: ${phrase.replaceAll(/\s+/g, " ")}`;
  });
}

test("finds banned phrases in comments and test titles, but not in code", () => {
  const source = [
    "/** Whoever asks.",
    " * It goes",
    " * on. */",
    'const anyone = "somebody"; // nobody, by',
    "// itself",
    'describe("anew", () => {',
    "  it.each([1])(`is ${1} in vain`, () => {});",
    '  call("anybody", anyone);',
    "});",
  ].join("\n");
  expect(bannedIn("x.test.ts", source)).toEqual([
    "x.test.ts:1: Whoever",
    "x.test.ts:2: goes on",
    "x.test.ts:4: nobody",
    "x.test.ts:4: by itself",
    "x.test.ts:6: anew",
    "x.test.ts:7: in vain",
  ]);
});

test("no source file has a banned phrase in a comment or test title", () => {
  const files = [...sourcesIn(".", false), ...FOLDERS.flatMap((folder) => sourcesIn(folder, true))];
  expect(files).toContain("server.mjs");
  expect(files.flatMap((file) => bannedIn(file, readFileSync(file, "utf8")))).toEqual([]);
});
