import { expect, test } from "vitest";
import { deadWords } from "./dead-words";

const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, "");

test("names a single dead channel, and since when it has failed", () => {
  expect(plain(deadWords.one("slack_app", "#sync-alerts", "14:02"))).toBe(
    "Every message to Slack #sync-alerts has failed since 14:02.",
  );
  expect(plain(deadWords.one("email", "Ops", null))).toBe("Every message to Email Ops fails.");
});

test.each([
  ["", 0, 0],
  ["3 messages are waiting for their next attempt.", 3, 0],
  ["1 message is waiting for its next attempt; 2 were given up.", 1, 2],
  ["1 message was given up.", 0, 1],
])("tells messages that are retried from those given up: %s", (text, waiting, givenUp) => {
  expect(deadWords.undelivered(waiting, givenUp)).toBe(text);
});

test("names two of several dead channels", () => {
  expect(plain(deadWords.several(["A", "B"]))).toBe(
    "2 channels aren’t receiving anything: A and B.",
  );
  expect(plain(deadWords.several(["A", "B", "C"]))).toBe(
    "3 channels aren’t receiving anything: A, B and 1 more.",
  );
});
