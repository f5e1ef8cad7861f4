import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Visitor, parseSync } from "oxc-parser";
import { expect, test } from "vitest";

/** Folders with text that customer success reads, see "Two vocabularies" in docs/glossary.md. */
const FOLDERS = ["app/(pages)", "app/(wall)", "components", "lib/domain/words"];

/** Settings, the log, what administrators alone read and what roles allow, which keep the names of code; and search terms that aren't shown. */
const OTHERS =
  /^(?:components\/(?:activity|resource|settings)\/|components\/search\/find\.ts|components\/shell\/demo\/(?:administrator|first-steps|remove-demo)-words\.ts|lib\/domain\/words\/role-words\.ts)/;

/** Whole words only: not `company-row`, `company.blind`, `/companies/` or `company=`. */
const NAMES_OF_CODE = /(?<![\w./-])(?:endpoints?|company|companies)(?!\.?[\w/=-])/i;

/** @returns `file:line: text` for each text with a name that only code, JSON and settings have */
function namesOfCodeIn(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} can't be parsed`);
  const found: string[] = [];
  const report = (text: string, start: number) => {
    if (text.search(NAMES_OF_CODE) === -1) return;
    found.push(`${file}:${source.slice(0, start).split("\n").length}: ${text.trim()}`);
  };
  new Visitor({
    // A lower-case word alone is a key, except where it is counted.
    Literal({ value, start }) {
      if (typeof value === "string" && /\s|^[A-Z]/.test(value)) report(value, start);
    },
    CallExpression({ callee, arguments: [, noun] }) {
      if (callee.type !== "Identifier" || callee.name !== "counted") return;
      if (noun?.type === "Literal" && typeof noun.value === "string" && !/\s/.test(noun.value))
        report(noun.value, noun.start);
    },
    TemplateElement({ value, start }) {
      if (/\s/.test(value.raw)) report(value.raw, start);
    },
    JSXText({ value, start }) {
      report(value, start);
    },
  }).visit(program);
  return found;
}

test("finds names of code in texts, but not in keys, classes, addresses and code", () => {
  const source = [
    'const company = { kind: "endpoint", type: "company.blind" };',
    'const row = "list-row company-row";',
    "const path = `/companies/${company}`;",
    'const head = "Company";',
    "const said = `${n} endpoints`;",
    'const amount = counted(n, "endpoint");',
    "const all = <p>All companies.</p>;",
  ].join("\n");
  expect(namesOfCodeIn("x.tsx", source)).toEqual([
    "x.tsx:4: Company",
    "x.tsx:5: endpoints",
    "x.tsx:6: endpoint",
    "x.tsx:7: All companies.",
  ]);
});

test("what customer success reads says customer and feed", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) =>
      path.join(folder, file),
    ),
  ).filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !OTHERS.test(file));
  expect(files).toContain("components/grid/words.ts");
  expect(files.flatMap((file) => namesOfCodeIn(file, readFileSync(file, "utf8")))).toEqual([]);
});
