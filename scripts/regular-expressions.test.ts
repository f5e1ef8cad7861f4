import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Visitor, parseSync } from "oxc-parser";
import { analyse } from "scslre";
import { afterEach, expect, test, vi } from "vitest";

/** What runs in the server and in browsers: its expressions meet headers, paths, bodies and upstream texts. */
const FILES = [
  ...["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => path.join(folder, file)),
  ),
  "proxy.ts",
  "server.mjs",
  "instrumentation.ts",
];

type Expression = { source: string; flags: string };

afterEach(() => vi.unstubAllGlobals());

/** Why matching can take more than time in proportion to a text of one repeated character; empty: it can't. */
function slowParts(expression: Expression): string[] {
  const { reports } = analyse(expression, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map(({ type }) => `/${expression.source}/${expression.flags} (${type})`);
}

/** The literals of a file, and whether it makes expressions of texts too. */
function expressionsIn(file: string): { literals: Expression[]; makesOthers: boolean } {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file} can't be parsed`);
  const literals: Expression[] = [];
  let makesOthers = false;
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      literals.push({ source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression({ callee }) {
      makesOthers ||= callee.type === "Identifier" && callee.name === "RegExp";
    },
  }).visit(program);
  return { literals, makesOthers };
}

test.each([
  ["a list of parameters", /\s*;\s*/],
  ["the end of a path", /\/+$/],
  ["a decimal number", /^\d+\.?\d*$/],
  ["nested repetition", /^(?:a+)+$/],
])("repetition is found that takes more time than its text is long: %s", (_, expression) => {
  expect(slowParts(expression)).not.toEqual([]);
});

test("no regular expression takes more time than its text is long", () => {
  const slow = FILES.flatMap((file) =>
    expressionsIn(file).literals.flatMap((literal) =>
      slowParts(literal).map((why) => `${file}: ${why}`),
    ),
  );
  expect(slow).toEqual([]);
});

test("nor does one that a module makes of texts", async () => {
  const made: Expression[] = [];
  const Usual = RegExp;
  vi.stubGlobal(
    "RegExp",
    class extends Usual {
      constructor(pattern: string | RegExp, flags?: string) {
        super(pattern, flags);
        made.push({ source: this.source, flags: this.flags });
      }
    },
  );
  const makers = FILES.filter((file) => expressionsIn(file).makesOthers);
  // As modules of their own: those of other tests were loaded before anything was recorded.
  for (const file of makers) await import(`${path.resolve(file)}?recorded`);
  expect(made.length).toBeGreaterThanOrEqual(makers.length);
  expect(made.flatMap(slowParts)).toEqual([]);
});
