import { expect, test } from "vitest";
import { MAX_IMPORT_ROWS } from "@/lib/contracts/connections";
import { fileProblems } from "./change-words";
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
  ["[]", fileProblems.empty],
  [HEAD, fileProblems.empty],
  ["", fileProblems.unreadable],
  ["a,b\nc,d", fileProblems.unreadable],
  ["slug,name,base_url,client_id\na,b,c,d", "The column client_secret is missing."],
  ["slug,name\na,b", "These columns are missing: base_url, client_id, client_secret."],
  ["[1]", fileProblems.unreadable],
  ['{"slug":"a"}', fileProblems.unreadable],
  ["[{", fileProblems.unreadable],
  [JSON.stringify(Array.from({ length: MAX_IMPORT_ROWS + 1 }, () => ({}))), fileProblems.many],
  [`[${" ".repeat(256 * 1024)}]`, fileProblems.large],
  [
    `${HEAD}\n${LINE}\na,"A,https://a.example,i,s,\n${LINE}`,
    "Line 3: A quote that opens here isn’t closed at the end of its cell.",
  ],
  [`${HEAD},Slug\n${LINE}b`, "Line 1: There is more than one column slug."],
])("refuses a file that can't be sent (%#)", (text, problem) => {
  expect(readImport(text)).toEqual({ problem });
});

test("reads as many rows as may be sent", () => {
  const text = JSON.stringify(Array.from({ length: MAX_IMPORT_ROWS }, () => ({})));
  expect(readImport(text)).toMatchObject({ rows: { length: MAX_IMPORT_ROWS } });
});
