import { expect, it } from "vitest";
import { countIcon, withoutCount } from "./tab-count";

it("without a number a title is what the page wrote", () => {
  expect(withoutCount("(3) Northgate")).toBe("(3) Northgate");
});

it("the icon has room for one digit", () => {
  expect(countIcon(7)).toContain(">7</text>");
  expect(countIcon(12)).toContain(">9+</text>");
});
