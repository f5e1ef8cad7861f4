import { expect, test } from "vitest";
import { lastHeardMs, noteAnswer, signInAddress } from "./session";

test("the way back holds the whole address, what stands behind its number sign beside it", () => {
  const at = { pathname: "/northgate/partners/a%2Fb", search: "?range=7d&tz=utc", hash: "#runs" };
  expect(signInAddress(at)).toBe(
    "/signin?callbackUrl=%2Fnorthgate%2Fpartners%2Fa%252Fb%3Frange%3D7d%26tz%3Dutc#runs",
  );
});

test("what is seen is as old as the last answer to somebody, however many refusals came since", () => {
  noteAnswer(true, 1_000);
  noteAnswer(false, 2_000);
  noteAnswer(false, 3_000);
  expect(lastHeardMs()).toBe(1_000);
  noteAnswer(true, 4_000);
  expect(lastHeardMs()).toBe(4_000);
});
