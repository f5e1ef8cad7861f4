import { expect, test } from "vitest";
import { csvLines } from "./csv-lines";

test("reads quoted cells, and says where each line starts", () => {
  const text = '\uFEFFa,b\r\n"x ""y"", z","two\nlines"\r\n\r\n,\n1,2';
  expect(csvLines(text)).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ['x "y", z', "two\nlines"] },
    { line: 6, cells: ["1", "2"] },
  ]);
});

test("takes semicolons if the first line has only those", () => {
  expect(csvLines("a;b\n1,5;2").map(({ cells }) => cells)).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
});
