import { expect, test } from "vitest";
import { leadOf, restoredSentence, waitSentence } from "./words";

test("names what is paused since when, what that means, and what to check before resuming", () => {
  expect(leadOf(["displays", "links"])).toBe("Displays and share links are paused.");
  expect(leadOf(["deliveries"])).toBe("Messages are paused.");
  expect(restoredSentence(Date.parse("2026-03-02T12:00:00Z"), "UTC")).toMatch(
    /^Plumbline was restored from a backup made at .*12:00.*, so whatever was ended since then may be back\.$/,
  );
  expect(restoredSentence(null, "UTC")).toContain("from a backup, so");
  expect(waitSentence(["links"], true)).toBe(
    "Share links don’t open. Before resuming share links, revoke any that were revoked after the backup.",
  );
  expect(waitSentence(["links"], false)).toBe(
    "Share links don’t open. An administrator can resume them.",
  );
});
