import { expect, test } from "vitest";
import { ApiError } from "@/lib/client/api";
import { fieldProblem, notSaved } from "./problems";

const refused = (description: string) => new ApiError(400, "refused", { description });

test("a field of a channel says what is wrong with it", () => {
  expect(fieldProblem(["settings", "secret"], { secret: "abc" })).toMatch(/whsec_/);
  expect(fieldProblem(["settings", "url"], { url: "https://ana:secret@example.com/" })).toMatch(
    /password/,
  );
  expect(fieldProblem(["settings", "url"], { url: "example" })).toMatch(/full address/);
  expect(fieldProblem(["settings", "to", 0], { to: "cs" })).toMatch(/email addresses/);
  expect(fieldProblem(["kind"], {})).toBe("Something here isn’t valid.");
});

test("a refused channel says at which field and why", () => {
  const url = "settings.url must be a public https address; private ones and http need them.";
  expect(notSaved(refused(url))).toEqual({
    field: "settings.url",
    problem: expect.stringContaining("ALLOWED_TARGETS") as string,
  });
  expect(notSaved(refused("settings.secret is missing or not valid."))).toMatchObject({
    field: "settings.secret",
  });
  expect(notSaved(refused("The request is missing or not valid."))).toBe(
    "Something here isn’t valid.",
  );
  expect(notSaved(new ApiError(409, "full"))).toMatch(/too many channels/);
});
