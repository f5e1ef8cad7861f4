import { expect, test } from "vitest";
import { linkName, openedTimes } from "./words";

test("says on a card how often a link was opened", () => {
  expect([1, 2, 1_200].map(openedTimes)).toEqual([", once", ", 2 times", ", 1,200 times"]);
});

test("tells two links to the same partner apart", () => {
  const link = { partner: "Procore", incident: null, for: "Marit Solberg" };
  expect(linkName(link, "Sat 08:02")).toBe("Procore, for Marit Solberg, created Sat 08:02");
  expect(linkName({ ...link, incident: 12, for: null }, "09:14")).toBe(
    "Procore, incident 12, created 09:14",
  );
});
