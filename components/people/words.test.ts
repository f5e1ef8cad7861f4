import { expect, test } from "vitest";
import type { PersonEntry } from "@/lib/contracts/people";
import { linkDialog, notSeen, sureWords } from "./words";

const BO: PersonEntry = {
  id: "00000000-0000-4000-8000-000000000000",
  name: "Bo Lind",
  email: "bo@example.com",
  kind: "local",
  is_first_administrator: false,
  grants: [],
  status: "active",
  link_expires_at: null,
  disabled_at: null,
  last_seen_at: null,
  sessions: 1,
};

test("no more is said of a mail than is known", () => {
  expect(linkDialog.mailed("off", BO.email)).toBe("Send this link to them.");
  expect(linkDialog.mailed("accepted", BO.email)).toContain("accepted");
  expect(linkDialog.mailed("accepted", BO.email)).toContain("If it doesn’t arrive");
  expect(linkDialog.mailed("failed", BO.email)).toMatch(/^We couldn’t email/);
  expect(linkDialog.mailed("unknown", BO.email)).toMatch(/^We don’t know whether/);
});

test("a new link's question speaks of a password only to whom has one", () => {
  expect(sureWords("link", BO).sentence).toContain("Their current password works");
  expect(sureWords("link", { ...BO, status: "invited" }).sentence).not.toContain("current");
});

test("who wasn't seen may have been here before, unless they're only invited", () => {
  expect(notSeen("active")).toBe("not in 30 days");
  expect(notSeen("invited")).toBe("not yet");
});
