import { describe, expect, it } from "vitest";
import { csv } from "./csv";

describe("a table as CSV", () => {
  it("ends every row with CRLF, leaves null empty and numbers as they are", () => {
    expect(
      csv([
        ["name", "value"],
        ["rfis", 1.5],
        ["", null],
        ["negative", -3],
      ]),
    ).toBe("name,value\r\nrfis,1.5\r\n,\r\nnegative,-3\r\n");
  });

  it("quotes what would end a cell, and doubles quotes", () => {
    expect(csv([["a,b", 'say "hi"', "two\nlines", "日本"]])).toBe(
      '"a,b","say ""hi""","two\nlines",日本\r\n',
    );
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])(
    "makes %j harmless to a spreadsheet",
    (text) => {
      const [cell] = csv([[text]]).split("\r\n");
      expect(cell?.replace(/^"/, "").startsWith("'")).toBe(true);
    },
  );
});
