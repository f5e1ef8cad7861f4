import { expect, test } from "vitest";
import { hasRight, RIGHTS } from "./rights";

const rightsOf = (role: Parameters<typeof hasRight>[0]) =>
  RIGHTS.filter((right) => hasRight(role, right));

test("each role has the rights of the one below and more", () => {
  expect(rightsOf("viewer")).toEqual(["view"]);
  expect(rightsOf("operator")).toEqual(["view", "delete-files", "share-links"]);
  expect(rightsOf("administrator")).toEqual(RIGHTS);
});
