import { expect, test } from "vitest";
import { shareLink } from "./share-link";

const HREF = "https://plumbline.example/north/partners/a%2Fb?range=7d&at=2020-01-01T00:00:00Z#tell";

test("keeps the selection in a plain link, without an old instant", () => {
  expect(shareLink(HREF, { atMs: null, clock: "local" })).toBe(
    "https://plumbline.example/north/partners/a%2Fb?range=7d",
  );
});

test("adds the instant, in readable form, and the zone to a link to a past state", () => {
  const atMs = Date.parse("2026-11-19T13:32:07.456Z");
  expect(shareLink(HREF, { atMs, clock: "utc" })).toBe(
    "https://plumbline.example/north/partners/a%2Fb?range=7d&tz=utc&at=2026-11-19T13:32:07Z",
  );
  expect(shareLink("http://localhost/north", { atMs, clock: "local" })).toBe(
    "http://localhost/north?at=2026-11-19T13:32:07Z",
  );
});
