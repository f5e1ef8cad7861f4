import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  pageParam,
  readAddress,
  readParam,
  textOf,
  textParam,
  textsParam,
  unreadTexts,
  usually,
  withTexts,
  wordParam,
  writeAddress,
} from "./address-params";

const PARAMS = {
  q: usually(textParam, ""),
  who: textParam,
  order: usually(wordParam(["worst", "fixed"]), "worst"),
  page: usually(pageParam, 1),
  open: usually(textsParam, []),
};
const ABSENT = { q: "", who: null, order: "worst", page: 1, open: [] };

test("returns the defaults for an address without parameters", () => {
  expect(readAddress(PARAMS, "")).toEqual(ABSENT);
  expect(writeAddress(PARAMS, readAddress(PARAMS, ""))).toBe("");
});

test("treats invalid values as absent", () => {
  expect(readAddress(PARAMS, "?order=sideways&page=many")).toEqual(ABSENT);
  const invalid = ["0", "-2", "1.5", "100001", "999999999999"];
  const read = (page: string) => readAddress(PARAMS, `?page=${page}`);
  expect(invalid.map(read)).toEqual(invalid.map(() => ABSENT));
  expect(readAddress(PARAMS, "?page=100000")).toEqual({ ...ABSENT, page: 100_000 });
});

test("reports unreadable parameters only", () => {
  const unread = (search: string) => unreadTexts(PARAMS, new URLSearchParams(search));
  expect(unread("order=sideways&page=3x&q=any&unknown=1")).toEqual(["order=sideways", "page=3x"]);
  expect(unread("order=fixed&page=2&open=a,b")).toEqual([]);
  expect(unread("")).toEqual([]);
});

test("uses the first one of a repeated parameter", () => {
  expect(readAddress(PARAMS, { q: ["one", "two"], who: undefined }).q).toBe("one");
  expect(readAddress(PARAMS, "?q=one&q=two").q).toBe("one");
});

test("preserves any text in an address", () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(
    fc.property(text, fc.array(fc.string({ unit: "binary-ascii", minLength: 1 })), (q, all) => {
      const open = all.filter((one) => !one.includes("%2C"));
      const address = writeAddress(PARAMS, { q, open });
      const { search } = new URL(`http://localhost/a${address}`);
      expect(readAddress(PARAMS, search)).toMatchObject({ q, open });
    }),
  );
});

test("keeps an address readable", () => {
  expect(writeAddress(PARAMS, { q: "daily logs", open: ["A/B", "Ünïted"] })).toBe(
    "?q=daily+logs&open=A/B,Ünïted",
  );
  expect(writeAddress(PARAMS, { q: `a&b=c#"<` })).toBe("?q=a%26b=c%23%22%3C");
});

describe("writeAddress", () => {
  test("preserves parameters that it doesn't name or know", () => {
    expect(writeAddress(PARAMS, { page: 2 }, "?tz=utc&order=fixed")).toBe(
      "?tz=utc&order=fixed&page=2",
    );
  });

  test("removes defaults and null", () => {
    expect(writeAddress(PARAMS, { page: 1, who: null }, "?page=3&who=a&q=b")).toBe("?q=b");
    expect(textOf(PARAMS.open, [])).toBeNull();
  });

  test("writes nothing for no changes", () => {
    expect(withTexts("?q=a", [["q", null]])).toBe("");
  });
});

test("returns the same object for the same text, which avoids a render", () => {
  const first = readParam(PARAMS.open, "A,B");
  expect(readParam(PARAMS.open, "A,B")).toBe(first);
  expect(readParam(PARAMS.open, null)).toBe(readParam(PARAMS.open, null));
});
