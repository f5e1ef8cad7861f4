import { expect, test } from "vitest";
import { pageQuery, pagesWithin } from "./file-pages";

test("maps rows to pages of a hundred, from 1", () => {
  expect(pagesWithin(0, 0)).toEqual([]);
  expect(pagesWithin(0, 100)).toEqual([1]);
  expect(pagesWithin(99, 101)).toEqual([1, 2]);
  expect(pagesWithin(99_950, 100_000)).toEqual([1000]);
});

test("puts a page's query after the filters", () => {
  expect(pageQuery("", 2)).toBe("page=2&per_page=100");
  expect(pageQuery("q=tower&sort=name", 1)).toBe("q=tower&sort=name&page=1&per_page=100");
});
