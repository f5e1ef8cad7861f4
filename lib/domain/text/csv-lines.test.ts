import { expect, test } from "vitest";
import { csvLines, csvTable } from "./csv-lines";

test("reads quoted cells, and says where each line starts", () => {
  const text = '\uFEFFa,b\r\n"x ""y"", z","two\nlines"\r\n\r\n,\n1,2';
  expect(csvLines(text)).toEqual({
    lines: [
      { line: 1, cells: ["a", "b"] },
      { line: 2, cells: ['x "y", z', "two\nlines"] },
      { line: 6, cells: ["1", "2"] },
    ],
    openQuote: null,
  });
});

test("takes semicolons if the first line has only those", () => {
  expect(csvLines("a;b\n1,5;2").lines.map(({ cells }) => cells)).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
});

test.each([
  ['a,b\n1,"2\n3,4\n', 2],
  ['a,b\n1,"2\n3,"4, 5"\n', 2],
  ['a,b\n1,"2\n3,"4\n', 2],
  ['a,b\n"1\n1",2\n3,"4', 4],
  ['a,b\n1,2"\n5" pipe,4\n "6" ,"""7"', null],
])("says where a quote opens that its cell doesn't close (%#)", (text, line) => {
  expect(csvLines(text).openQuote).toBe(line);
});

test("keeps quotes within unquoted cells", () => {
  expect(csvLines('5" pipe,2"').lines).toEqual([{ line: 1, cells: ['5" pipe', '2"'] }]);
});

test("takes the names of columns from the first line, each once", () => {
  expect(csvTable(" A ,b,,\n1,2,,")).toEqual({
    names: ["a", "b", "", ""],
    lines: [{ line: 2, cells: ["1", "2", "", ""] }],
  });
  expect(csvTable("a,b,B\n1,2,3")).toEqual({
    problem: "There is more than one column b.",
    line: 1,
  });
  expect(csvTable('a,a\n1,"2')).toMatchObject({ line: 2 });
  expect(csvTable("")).toEqual({ names: [], lines: [] });
});
