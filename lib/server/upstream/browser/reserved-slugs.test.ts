import { expect, test } from "vitest";
import { refuseReservedSlugs } from "./reserved-slugs";

test("names a company whose slug has become one of our addresses, and the way out", () => {
  expect(() => refuseReservedSlugs([{ company: "halden" }])).not.toThrow();
  expect(() => refuseReservedSlugs([{ company: "halden" }, { company: "partners" }])).toThrow(
    '"partners" is the slug of a connected company, and now one of our own addresses. Run "npm run companies -- rename partners NEW", then start again',
  );
});
