import { expect, test } from "vitest";
import { MAX_IMPORT_ROWS } from "@/lib/contracts/connections";
import { readImport } from "./import-file";

const ROW = {
  slug: "halden",
  name: "Halden, Construction",
  base_url: "https://api.halden.example",
  client_id: "hc",
  client_secret: 's"1',
};
const HEAD = "slug,name,base_url,client_id,client_secret,owner";
const LINE = 'halden,"Halden, Construction",https://api.halden.example,hc,"s""1",';

test("reads JSON lists and CSV alike", () => {
  expect(readImport(JSON.stringify([ROW]))).toEqual({ rows: [ROW] });
  expect(readImport(`\uFEFF${HEAD}\r\n${LINE}\r\n\r\n`)).toEqual({ rows: [ROW], lines: [2] });
  expect(readImport(`${HEAD.toUpperCase()}\n${LINE}ana@example.com`)).toEqual({
    rows: [{ ...ROW, owner: "ana@example.com" }],
    lines: [2],
  });
  const semicolons = `${HEAD.replaceAll(",", ";")}\na;"A\nB";https://a.example;i;s;`;
  expect(readImport(semicolons)).toEqual({
    rows: [
      {
        slug: "a",
        name: "A\nB",
        base_url: "https://a.example",
        client_id: "i",
        client_secret: "s",
      },
    ],
    lines: [2],
  });
  expect(readImport(`${HEAD}\n\n${LINE}`)).toMatchObject({ lines: [3] });
});

test.each([
  ["[]", "empty"],
  [HEAD, "empty"],
  ["", "unreadable"],
  ["slug,name\na,b", "unreadable"],
  ["[1]", "unreadable"],
  ['{"slug":"a"}', "unreadable"],
  ["[{", "unreadable"],
  [JSON.stringify(Array.from({ length: MAX_IMPORT_ROWS + 1 }, () => ({}))), "many"],
  [`[${" ".repeat(256 * 1024)}]`, "large"],
])("refuses a file that can't be sent (%#)", (text, problem) => {
  expect(readImport(text)).toEqual({ problem });
});

test("reads as many rows as may be sent", () => {
  const text = JSON.stringify(Array.from({ length: MAX_IMPORT_ROWS }, () => ({})));
  expect(readImport(text)).toMatchObject({ rows: { length: MAX_IMPORT_ROWS } });
});
