import { describe, expect, test } from "vitest";
import { isHandable, isHandableCompany, isMine, type Hands } from "./mine";

const NOBODY: Hands = {
  ownerId: null,
  acknowledgedById: null,
  companyOwnerId: null,
  standInId: null,
};
const [MEMBER, ADMINISTRATOR] = [{ isAdministrator: false }, { isAdministrator: true }];

describe("isMine", () => {
  test.each(["ownerId", "acknowledgedById", "companyOwnerId", "standInId"] as const)(
    "is true for my id as its %s",
    (what) => {
      expect(isMine("ana", { ...NOBODY, [what]: "ana" })).toBe(true);
      expect(isMine("bo", { ...NOBODY, [what]: "ana" })).toBe(false);
    },
  );

  test("is false by default", () => {
    expect(isMine("ana", NOBODY)).toBe(false);
  });
});

describe("handover", () => {
  test("covers my own incidents unless a colleague owns them", () => {
    expect(isHandable("ana", { ...NOBODY, acknowledgedById: "ana" }, MEMBER)).toBe(true);
    expect(isHandable("ana", { ...NOBODY, companyOwnerId: "ana" }, MEMBER)).toBe(true);
    expect(isHandable("ana", { ...NOBODY, acknowledgedById: "ana", ownerId: "bo" }, MEMBER)).toBe(
      false,
    );
  });

  test("lets administrators hand over unassigned incidents", () => {
    expect(isHandable("ada", NOBODY, ADMINISTRATOR)).toBe(true);
    expect(isHandable("ada", NOBODY, MEMBER)).toBe(false);
    expect(isHandable("ada", { ...NOBODY, acknowledgedById: "bo" }, ADMINISTRATOR)).toBe(false);
    expect(isHandable("ada", { ...NOBODY, companyOwnerId: "bo" }, ADMINISTRATOR)).toBe(false);
    expect(isHandableCompany("ada", NOBODY, ADMINISTRATOR)).toBe(true);
    expect(isHandableCompany("ada", NOBODY, MEMBER)).toBe(false);
    expect(isHandableCompany("ada", { ...NOBODY, standInId: "bo" }, ADMINISTRATOR)).toBe(false);
    expect(isHandableCompany("bo", { ...NOBODY, standInId: "bo" }, MEMBER)).toBe(true);
  });
});
