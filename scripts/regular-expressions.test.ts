import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Visitor, parseSync } from "oxc-parser";
import { analyse } from "scslre";
import { afterEach, expect, test, vi } from "vitest";

/** Code of the server and of browsers, whose expressions match headers, paths, bodies and upstream texts. */
const FILES = [
  ...["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/(?:\.test|-fixture)\.tsx?$/.test(file))
      .map((file) => path.join(folder, file)),
  ),
  "proxy.ts",
  "server.mjs",
  "instrumentation.ts",
];

type Expression = { source: string; flags: string };

afterEach(() => vi.unstubAllGlobals());

/** Parts that can take superlinear time on a repeated character; empty: none. */
function slowParts(expression: Expression): string[] {
  const { reports } = analyse(expression, { reportTypes: { Move: true, Self: true, Trade: true } });
  return reports.map(({ type }) => `/${expression.source}/${expression.flags} (${type})`);
}

/** The literals of a file, and whether it also creates expressions from strings. */
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
])("detects superlinear repetition: %s", (_, expression) => {
  expect(slowParts(expression)).not.toEqual([]);
});

test("no regular expression literal takes superlinear time", () => {
  const slow = FILES.flatMap((file) =>
    expressionsIn(file).literals.flatMap((literal) =>
      slowParts(literal).map((why) => `${file}: ${why}`),
    ),
  );
  expect(slow).toEqual([]);
});

test("no expression that a module creates from strings takes superlinear time", async () => {
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
  // As separate module instances, because those of other tests were loaded before the recording.
  for (const file of makers) await import(`${path.resolve(file)}?recorded`);
  expect(made.length).toBeGreaterThanOrEqual(makers.length);
  expect(made.flatMap(slowParts)).toEqual([]);
});
