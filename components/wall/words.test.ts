import { expect, test } from "vitest";
import { closedWords } from "./words";

test("a display that is no longer paired says which address pairs it again", () => {
  const sentence = "This display was unpaired by Ana on 29 November 2026 at 21:29 CET.";
  expect(
    closedWords({ state: "ended", sentence, isPaused: false }, "plumbline.example.com:8443")
      .sentence,
  ).toBe(`${sentence} To pair it again, open plumbline.example.com:8443/pair on it.`);
});
