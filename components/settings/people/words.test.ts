import { expect, test } from "vitest";
import type { PersonEntry } from "@/lib/contracts/people";
import { becauseText, linkDialog, notSeen, confirmWords } from "./words";

const BO: PersonEntry = {
  id: "00000000-0000-4000-8000-000000000000",
  name: "Bo Lind",
  email: "bo@example.com",
  kind: "local",
  is_first_administrator: false,
  has_second_factor: false,
  grants: [],
  status: "active",
  link_expires_at: null,
  created_at: "2026-11-19T12:00:00Z",
  disabled_at: null,
  last_seen_at: null,
  sessions: 1,
};

test("describes only the known outcome of a mail", () => {
  expect(linkDialog.mailed("off", BO.email)).toBe("Send this link to them.");
  expect(linkDialog.mailed("accepted", BO.email)).toContain("accepted");
  expect(linkDialog.mailed("accepted", BO.email)).toContain("If it doesn’t arrive");
  expect(linkDialog.mailed("failed", BO.email)).toMatch(/^We couldn’t email/);
  expect(linkDialog.mailed("unknown", BO.email)).toMatch(/^We don’t know whether/);
});

test("says of a grant that no one gave in the browser that it is from the server", () => {
  const grant = { kind: "hand", at: BO.created_at } as const;
  expect(becauseText({ ...grant, by: "Ana Rask" }, "19 Nov")).toBe("Ana Rask, 19 Nov");
  expect(becauseText({ ...grant, by: null }, "19 Nov")).toBe("Set up on the server, 19 Nov");
});

test("mentions the password in the confirmation only if the person has one", () => {
  expect(confirmWords("link", BO).children).toContain("Their current password works");
  expect(confirmWords("link", { ...BO, status: "invited" }).children).not.toContain("current");
});

test("claims a person was never seen only if no deleted session can prove otherwise", () => {
  const createdMs = Date.parse(BO.created_at);
  const days = (amount: number) => createdMs + amount * 24 * 3_600_000;
  expect(notSeen(BO, createdMs + 2 * 60_000)).toBe("never seen");
  expect(notSeen(BO, days(29))).toBe("never seen");
  expect(notSeen(BO, days(31))).toBe("not seen in 30 days");
  expect(notSeen({ ...BO, status: "invited" }, days(31))).toBe("never seen");
});
