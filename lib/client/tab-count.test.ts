import { expect, it } from "vitest";
import { countIcon, withoutCount } from "./tab-count";

it("leaves the page's title unchanged without a count", () => {
  expect(withoutCount("(3) Northgate")).toBe("(3) Northgate");
});

it("fits one digit into the icon", () => {
  expect(countIcon(7)).toContain(">7</text>");
  expect(countIcon(12)).toContain(">9+</text>");
});
