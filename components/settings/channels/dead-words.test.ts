import { expect, test } from "vitest";
import { deadWords } from "./dead-words";

const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, "");

test("names a single dead channel, and since when it has failed", () => {
  expect(plain(deadWords.one("slack_app", "#sync-alerts", "14:02"))).toBe(
    "Every message to Slack #sync-alerts has failed since 14:02.",
  );
  expect(plain(deadWords.one("email", "Ops", null))).toBe("Every message to Email Ops fails.");
});

test("names two of several dead channels", () => {
  expect(plain(deadWords.several(["A", "B"]))).toBe(
    "2 channels aren’t receiving anything: A and B.",
  );
  expect(plain(deadWords.several(["A", "B", "C"]))).toBe(
    "3 channels aren’t receiving anything: A, B and 1 more.",
  );
});
