import { expect, test } from "vitest";
import { linkName } from "./words";

test("tells two links to the same partner apart", () => {
  const link = { partner: "Procore", incident: null, for: "Marit Solberg" };
  expect(linkName(link, "Sat 08:02")).toBe("Procore, for Marit Solberg, created Sat 08:02");
  expect(linkName({ ...link, incident: 12, for: null }, "09:14")).toBe(
    "Procore, incident 12, created 09:14",
  );
});
