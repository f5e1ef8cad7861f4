import { expect, test } from "vitest";
import { createLog } from "@/lib/server/log";
import { ageOfPostgres, tellPostgres } from "./postgres-age";

const AT_MS = Date.parse("2026-06-01T12:00:00Z");
const LATER_MS = Date.parse("2026-11-25T12:00:00Z");

test("returns a version's release date, age and whether it is old", () => {
  const facts = { version: "18.4", released: "2026-05-14" };
  expect(ageOfPostgres("18.4", AT_MS)).toEqual({ ...facts, ageDays: 18, isOld: false });
  expect(ageOfPostgres("18.4 (Debian 18.4-1)", LATER_MS)).toEqual({
    ...facts,
    ageDays: 195,
    isOld: true,
  });
});

test("claims nothing about an unknown version", () => {
  expect(ageOfPostgres("18.99", LATER_MS)).toEqual({
    version: "18.99",
    released: null,
    ageDays: null,
    isOld: false,
  });
});

test.each([
  ["18.4", AT_MS, "PostgreSQL 18.4, released 2026-05-14, 18 days ago", "info"],
  ["18.99", AT_MS, "PostgreSQL 18.99, when it was released isn't known here", "info"],
  ["18.4", LATER_MS, /, 195 days ago: security fixes may be missing\. .*POSTGRES_BIN/, "warn"],
])("logs one line at startup for %s at %d", async (version, nowMs, sentence, level) => {
  const lines: { msg: string; level: string }[] = [];
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
  const pool = { query: async () => ({ rows: [{ server_version: version }] }) } as never;
  await tellPostgres({ pool }, { log, nowMs, isEmbedded: true });
  expect(lines).toEqual([
    expect.objectContaining({
      msg: typeof sentence === "string" ? sentence : (expect.stringMatching(sentence) as string),
      level,
    }),
  ]);
});
