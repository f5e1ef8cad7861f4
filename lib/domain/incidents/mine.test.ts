import { describe, expect, test } from "vitest";
import { isHandable, isHandableCompany, isMine, type Hands } from "./mine";

const NOBODY: Hands = {
  ownerId: null,
  acknowledgedById: null,
  companyOwnerId: null,
  standInId: null,
};
const [MEMBER, ADMINISTRATOR] = [{ isAdministrator: false }, { isAdministrator: true }];

describe("mine", () => {
  test.each(["ownerId", "acknowledgedById", "companyOwnerId", "standInId"] as const)(
    "is what has me as its %s",
    (what) => {
      expect(isMine("ana", { ...NOBODY, [what]: "ana" })).toBe(true);
      expect(isMine("bo", { ...NOBODY, [what]: "ana" })).toBe(false);
    },
  );

  test("is no one's by default", () => {
    expect(isMine("ana", NOBODY)).toBe(false);
  });
});

describe("what can be handed over", () => {
  test("is what is mine, unless a colleague owns it", () => {
    expect(isHandable("ana", { ...NOBODY, acknowledgedById: "ana" }, MEMBER)).toBe(true);
    expect(isHandable("ana", { ...NOBODY, companyOwnerId: "ana" }, MEMBER)).toBe(true);
    expect(isHandable("ana", { ...NOBODY, acknowledgedById: "ana", ownerId: "bo" }, MEMBER)).toBe(
      false,
    );
  });

  test("is to administrators what no one else has", () => {
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
