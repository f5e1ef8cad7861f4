import { expect, test } from "vitest";
import { ConnectionChange, type ConnectionView } from "@/lib/contracts/connections";
import { CONNECTION } from "./connection-fixture";
import {
  actsOf,
  changeOf,
  draftOf,
  isKeptChange,
  keptChange,
  secretChangeOf,
} from "./change-draft";

const OWNED: ConnectionView = {
  ...CONNECTION,
  owner: { id: "0197d9b5-0000-7000-8000-000000000001", name: "Ana" },
  external_id: "001",
};

test("sends only what changed, and null for what was emptied", () => {
  const draft = draftOf(OWNED);
  expect(changeOf(draft, OWNED)).toEqual({});
  const changed = { name: " Tarn ", timeZone: "Europe/Oslo", owner: null, externalId: " " };
  const change = changeOf(changed, OWNED);
  expect(change).toEqual({
    name: "Tarn",
    time_zone: "Europe/Oslo",
    owner: null,
    external_id: null,
  });
  expect(ConnectionChange.safeParse(change).success).toBe(true);
});

test("sends an address or client only with the new secret", () => {
  const same = { baseUrl: OWNED.base_url, clientId: OWNED.client_id };
  expect(secretChangeOf({ ...same, clientSecret: " new\n" }, OWNED)).toEqual({
    client_secret: "new",
  });
  const other = { baseUrl: "https://b.example/api/v3", clientId: "other", clientSecret: "" };
  const change = secretChangeOf(other, OWNED);
  expect(change).toEqual({
    client_secret: "",
    base_url: "https://b.example/api/v3",
    client_id: "other",
  });
  expect(ConnectionChange.safeParse(change).success).toBe(false);
});

test("restores dialogs that it knows", () => {
  const { state } = keptChange({ dialog: "edit", slug: "tarn", draft: draftOf(OWNED) });
  expect(isKeptChange(state)).toBe(true);
  expect(isKeptChange({ dialog: "secret", slug: "tarn" })).toBe(true);
  expect(isKeptChange({ dialog: "import" })).toBe(true);
  for (const other of [null, {}, { dialog: "edit", slug: "tarn" }, { dialog: "x", slug: "tarn" }])
    expect(isKeptChange(other)).toBe(false);
});

test("changes only what was connected here", () => {
  expect(actsOf(OWNED)).toEqual([]);
  expect(actsOf({ ...OWNED, set_aside: { name: "X", host: "x.example" } })).toEqual([
    "removeAside",
  ]);
  const browser = { ...OWNED, origin: "browser" } as const;
  expect(actsOf(browser)).toEqual(["edit", "secret", "pause", "remove"]);
  expect(actsOf({ ...browser, paused_at: "2026-03-02T08:00:00Z" })).toContain("resume");
});
