import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv } from "./csv";

describe("a table as CSV", () => {
  it("ends every row with CRLF, leaves null empty and numbers unchanged", () => {
    expect(
      csv([
        ["name", "value"],
        ["rfis", 1.5],
        ["", null],
        ["negative", -3],
      ]),
    ).toBe("name,value\r\nrfis,1.5\r\n,\r\nnegative,-3\r\n");
  });

  it("quotes what would end a cell, here or with other separators, and doubles quotes", () => {
    expect(csv([["a,b", 'say "hi"', "two\nlines", "a;b", "a\tb", "日本"]])).toBe(
      '"a,b","say ""hi""","two\nlines","a;b","a\tb",日本\r\n',
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\r\n=1", "\t", "\n1"])(
    "makes %j harmless to a spreadsheet",
    (text) => {
      const [cell] = csv([[text]]).split("\r\n");
      expect(cell?.replace(/^"/, "").startsWith("'")).toBe(true);
    },
  );

  it.each(["＝1+1", "＋1", "－1", "＠SUM(A1)", "﹦1", "−1"])(
    "makes the wide sign %j harmless",
    (text) => expect(csv([[text]])).toBe(`'${text}\r\n`),
  );

  it.each([" =1", "\u00A0=1", "\u3000＝1", "\u200B=1", "\uFEFF@1", "\0-1", "'=1", "“=1”"])(
    "makes %j harmless despite leading ignored characters",
    (text) => expect(csv([[text]])).toBe(`'${text}\r\n`),
  );

  it.each([
    ["a;=1", `"a;'=1"\r\n`],
    ["a\t=1", `"a\t'=1"\r\n`],
    ["a\n=1", `"a\n'=1"\r\n`],
    ["a; ＝1; -2;3", `"a;' ＝1;' -2;3"\r\n`],
    ['a;"=1', `"a;'""=1"\r\n`],
    [";\t\n=1", `";\t\n'=1"\r\n`],
  ])("makes %j harmless with another separator", (text, expected) => {
    expect(csv([[text]])).toBe(expected);
  });

  it("leaves text alone that isn't a formula in any spreadsheet", () => {
    const names = ["Tower - phase 2", "a=b", "Müller & Söhne", "O'Brien", "C+", "me@example.com"];
    expect(csv([names])).toBe(`${names.join(",")}\r\n`);
    expect(csv([["Level 1, +2.5 m"]])).toBe('"Level 1, +2.5 m"\r\n');
  });

  it("takes time linear in the length of the text", () => {
    // Each of these would take billions of steps if every separator scanned everything after it.
    for (const text of ["\n", ";", "\t ", ' "', ";'"].map((piece) => piece.repeat(200_000)))
      expect(csv([[text]]).length).toBeGreaterThan(text.length);
  });
});

/** Ends of cells and rows, signs, and ignored leading characters. */
const trickyText = fc
  .array(
    fc.oneof(
      fc.string({
        unit: fc.constantFrom("=", "+", "-", "@", "＝", "＋", "－", "＠"),
        maxLength: 2,
      }),
      fc.constantFrom(",", ";", "\t", "\r", "\n", "\r\n", "|", '"', '""', "'", "“", ";=", ',"'),
      fc.constantFrom(" ", "\u00A0", "\u200B", "\uFEFF", "\0", "\ud800", "a", "é", "中", "1"),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));
const table = fc.array(fc.array(trickyText, { minLength: 1, maxLength: 4 }), { maxLength: 4 });

/**
 * The cells that a program would find.
 * @param heeded which quotes are recognised: those at the start of a cell, or none
 */
function cellsOf(text: string, separator: string, heeded: "at begin" | "none"): string[] {
  const cells: string[] = [];
  let current = "";
  let isBegin = true;
  let inQuotes = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (inQuotes) {
      if (character !== '"') current += character;
      else if (text.charAt(at + 1) === '"') {
        current += '"';
        at += 1;
      } else inQuotes = false;
    } else if (character === '"' && isBegin && heeded === "at begin") {
      inQuotes = true;
      isBegin = false;
    } else if (character === separator || character === "\r" || character === "\n") {
      cells.push(current);
      current = "";
      isBegin = true;
    } else {
      current += character;
      isBegin = false;
    }
  }
  return cells;
}

const isFormula = (cell: string) => /^[\s\0\u200B\uFEFF"“]*[=+\-@＝＋－＠]/.test(cell);

describe("any texts", () => {
  it.each([
    [",", "at begin"],
    [";", "at begin"],
    ["\t", "at begin"],
    [";", "none"],
    ["\t", "none"],
  ] as const)(
    "contain no formula for a program that splits at %j and recognises quotes %s",
    (separator, heeded) => {
      fc.assert(
        fc.property(table, (rows) => {
          expect(cellsOf(csv(rows), separator, heeded).filter(isFormula)).toEqual([]);
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it("are read back with the same number of cells, equal except for apostrophes", () => {
    const withoutApostrophes = (text: string) => text.replaceAll("'", "");
    fc.assert(
      fc.property(fc.array(trickyText, { minLength: 1, maxLength: 6 }), (row) => {
        const text = csv([row]);
        expect(text.endsWith("\r\n")).toBe(true);
        const found = cellsOf(text.slice(0, -1), ",", "at begin");
        expect(found.map(withoutApostrophes)).toEqual(row.map(withoutApostrophes));
      }),
      { numRuns: 1_000 },
    );
  });
});
