import { expect, test } from "vitest";
import { CONNECTION, NOW_MS } from "./connection-fixture";
import {
  canConnect,
  expectedText,
  firstCheckText,
  nextText,
  notChecked,
  notConnected,
  problemText,
  working,
} from "./connect-words";

const WHEN = { nowMs: NOW_MS, timeZone: "UTC" };

test("says whether a company can be connected, also without its name", () => {
  expect(canConnect(" Halden ", 0)).toBe("Halden can be connected");
  expect(canConnect("Halden", 1)).toBe("Halden can be connected; 1 scope is missing");
  expect(canConnect("", 2)).toBe("This company can be connected; 2 scopes are missing");
});

test("shows when a row is expected, and never a time that isn't known", () => {
  expect(expectedText(60, "active")).toBe("every 1 h");
  expect(expectedText(null, "webhook")).toBe("by webhook");
  expect(expectedText(null, "active")).toBe("no schedule");
  const inTen = new Date(NOW_MS + 600_000).toISOString();
  expect(nextText(inTen, "active", NOW_MS)).toBe("in 10 m");
  expect(nextText(inTen, "active", NOW_MS + 700_000)).toBe("due now");
  expect(nextText(null, "active", NOW_MS)).toBe("not known");
  expect(nextText(null, "webhook", NOW_MS)).toBe("on event");
});

test("counts the seconds of a step once there are some", () => {
  expect(working(1)).toBe("Checking…");
  expect(working(12)).toBe("Checking… 12 s");
});

test("follows the first check: in line, running, failed", () => {
  expect(firstCheckText(null, WHEN)).toMatch(/^The first check is running/);
  const starting = { ...CONNECTION, reason: "starting" } as const;
  expect(firstCheckText({ ...starting, queue: { place: 3, of: 12 } }, WHEN)).toBe(
    "Waiting for its turn: number 3 of 12 for api.tarn.example. The first check starts when the request limit allows it.",
  );
  expect(firstCheckText({ ...starting, queue: { place: 1, of: 12 } }, WHEN)).toMatch(
    /^The first check is running/,
  );
  expect(firstCheckText({ ...CONNECTION, reason: "disconnected" }, WHEN)).toBe(
    "The connection is paused.",
  );
  expect(firstCheckText({ ...CONNECTION, reason: "unauthorized" }, WHEN)).toBe(
    "The first check failed. The source rejected our credentials. We keep trying.",
  );
});

test("says why something was refused, and never that a request without a response failed", () => {
  expect(notChecked(429, 20, null)).toBe(
    "You can run six checks a minute. Try again in 20 seconds.",
  );
  expect(notChecked(409, null, "Change the password first.")).toBe("Change the password first.");
  expect(notConnected(0, null)).toContain("to see whether it was saved");
  expect(notConnected(500, null)).toBe("Couldn’t save the connection. Try again.");
  expect(problemText("slug", "taken", "halden")).toContain("/halden is already in use");
  expect(problemText("clientSecret", "environment", "")).toContain("CONNECTIONS_FILE only");
});
