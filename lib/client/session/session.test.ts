import { expect, test } from "vitest";
import { lastResponseMs, recordResponse, signInAddress } from "./session";

test("puts the complete address into the return path, with the fragment in a separate parameter", () => {
  const at = { pathname: "/northgate/partners/a%2Fb", search: "?range=7d&tz=utc", hash: "#runs" };
  expect(signInAddress(at)).toBe(
    "/signin?callbackUrl=%2Fnorthgate%2Fpartners%2Fa%252Fb%3Frange%3D7d%26tz%3Dutc#runs",
  );
});

test("dates the shown data by the last authenticated response, whatever rejections followed", () => {
  recordResponse(true, 1_000);
  recordResponse(false, 2_000);
  recordResponse(false, 3_000);
  expect(lastResponseMs()).toBe(1_000);
  recordResponse(true, 4_000);
  expect(lastResponseMs()).toBe(4_000);
});
