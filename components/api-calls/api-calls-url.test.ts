import { expect, test } from "vitest";
import { apiCallsPath, loadApiCallsState } from "./api-calls-url";

test("contains the whole selection and no defaults", () => {
  expect(apiCallsPath("northgate", {})).toBe("/northgate/api-calls");
  expect(apiCallsPath("northgate", { partner: null, endpoint: null, range: "7d" })).toBe(
    "/northgate/api-calls",
  );
});

test.each(["a/b", "..", "~x", "100%", "<b>", "Ünïted & Söhne", "東京建設", "a b+c"])(
  "round-trips a partner named %s",
  (partner) => {
    const state = { partner, endpoint: "id/1", range: "90d", since: "week", page: 2 } as const;
    const { searchParams } = new URL(apiCallsPath("northgate", state), "http://localhost");
    expect(loadApiCallsState(searchParams)).toEqual(state);
  },
);

test("falls back to the default for an unknown range", () => {
  expect(loadApiCallsState(new URLSearchParams("range=forever")).range).toBe("7d");
});

test("takes an empty name for none", () => {
  const state = loadApiCallsState(new URLSearchParams("partner=&endpoint="));
  expect(state).toMatchObject({ partner: null, endpoint: null });
});
