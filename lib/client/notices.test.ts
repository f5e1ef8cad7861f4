import { expect, test } from "vitest";
import type { InboxItem } from "@/lib/contracts/delivery";
import { newsIn } from "./notices";

const item = (id: string, readAt: string | null = null): InboxItem => ({
  id,
  type: "incident.opened",
  at: "2026-11-20T10:00:00Z",
  company: "northgate",
  incident_id: 1,
  text: "Procore at Northgate is late.",
  href: "/northgate/incidents/1",
  read_at: readAt,
});

test("doesn't report items that existed when the page was opened", () => {
  expect(newsIn([item("a"), item("b")], null)).toEqual([]);
});

test("reports later items once, unless they were read elsewhere", () => {
  const items = [item("c"), item("b", "2026-11-20T10:01:00Z"), item("a")];
  expect(newsIn(items, new Set(["a"])).map(({ id }) => id)).toEqual(["c"]);
  expect(newsIn(items, new Set(["a", "b", "c"]))).toEqual([]);
});
