import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  integerParam,
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
  page: usually(integerParam, 1),
  open: usually(textsParam, []),
};
const ABSENT = { q: "", who: null, order: "worst", page: 1, open: [] };

test("an address without parameters says what goes without saying", () => {
  expect(readAddress(PARAMS, "")).toEqual(ABSENT);
  expect(writeAddress(PARAMS, readAddress(PARAMS, ""))).toBe("");
});

test("what is no such value counts as absent", () => {
  expect(readAddress(PARAMS, "?order=sideways&page=many")).toEqual(ABSENT);
});

test("what can't be read is told, and nothing else", () => {
  const unread = (search: string) => unreadTexts(PARAMS, new URLSearchParams(search));
  expect(unread("order=sideways&page=3x&q=any&unknown=1")).toEqual(["order=sideways", "page=3x"]);
  expect(unread("order=fixed&page=2&open=a,b")).toEqual([]);
  expect(unread("")).toEqual([]);
});

test("of a parameter that is there twice the first one counts", () => {
  expect(readAddress(PARAMS, { q: ["one", "two"], who: undefined }).q).toBe("one");
  expect(readAddress(PARAMS, "?q=one&q=two").q).toBe("one");
});

test("any text comes back from the address as it went", () => {
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

test("an address stays readable", () => {
  expect(writeAddress(PARAMS, { q: "daily logs", open: ["A/B", "Ünïted"] })).toBe(
    "?q=daily+logs&open=A/B,Ünïted",
  );
  expect(writeAddress(PARAMS, { q: `a&b=c#"<` })).toBe("?q=a%26b=c%23%22%3C");
});

describe("a change of the address", () => {
  test("leaves what it does not name, and what is somebody else's", () => {
    expect(writeAddress(PARAMS, { page: 2 }, "?tz=utc&order=fixed")).toBe(
      "?tz=utc&order=fixed&page=2",
    );
  });

  test("removes what goes without saying, and what is null", () => {
    expect(writeAddress(PARAMS, { page: 1, who: null }, "?page=3&who=a&q=b")).toBe("?q=b");
    expect(textOf(PARAMS.open, [])).toBeNull();
  });

  test("of nothing leaves nothing behind", () => {
    expect(withTexts("?q=a", [["q", null]])).toBe("");
  });
});

test("the same text is read as the same object, so that nothing is drawn again for it", () => {
  const first = readParam(PARAMS.open, "A,B");
  expect(readParam(PARAMS.open, "A,B")).toBe(first);
  expect(readParam(PARAMS.open, null)).toBe(readParam(PARAMS.open, null));
});
