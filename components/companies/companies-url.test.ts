import { expect, test } from "vitest";
import { unreadTexts, writeAddress } from "@/lib/client/address/address-params";
import { companiesParams, loadCompaniesState } from "./companies-url";

test("keeps the owner filter's spelling in shared addresses", () => {
  const state = loadCompaniesState({ whose: "nobody" });
  expect(state.whose).toBe("unacknowledged");
  expect(writeAddress(companiesParams, state)).toBe("?whose=nobody");
});

test("rejects other spellings of the owner filter", () => {
  const texts = new URLSearchParams("whose=unacknowledged");
  expect(unreadTexts(companiesParams, texts)).toEqual(["whose=unacknowledged"]);
  expect(loadCompaniesState({ whose: "unacknowledged" }).whose).toBe("all");
});
