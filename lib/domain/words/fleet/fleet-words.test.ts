import { expect, test } from "vitest";
import {
  fleetActText,
  fleetAloneText,
  fleetEndedText,
  fleetJoinedText,
  fleetLeftText,
  fleetOpenedText,
} from "./fleet-words";

test("a timeline tells what happened at which customer", () => {
  expect(fleetOpenedText(9)).toBe("Behind at 9 customers");
  expect(fleetJoinedText("Harbour", false)).toBe("Harbour is behind too");
  expect(fleetJoinedText("Harbour", true)).toBe("Harbour is behind again");
  expect(fleetAloneText("Harbour")).toBe("Harbour is still behind, and is now on its own");
});

test("only a recovery is called one", () => {
  expect(fleetLeftText("Harbour", "recovered")).toBe("Harbour recovered");
  expect(fleetLeftText("Harbour", "paused")).toBe(
    "Harbour: paused at the source, no data received",
  );
  expect(fleetEndedText({ recovered: 8 })).toBe("Over: 8 recovered");
  expect(fleetEndedText({ alone: 1, paused: 1, recovered: 8 })).toBe(
    "Over: 8 recovered, 1 paused and 1 still behind",
  );
});

test("acts follow the name of the person", () => {
  expect(fleetActText("acknowledged", "Harbour", null)).toBe("is on it at Harbour");
  expect(fleetActText("acknowledged", "Harbour", "Calling")).toBe("is on it at Harbour: Calling");
  expect(fleetActText("unacknowledged", "Harbour", null)).toBe("is no longer on it at Harbour");
});
