import { expect } from "vitest";
import { databaseTest } from "@/lib/server/store/test-database";
import { pauseByRestore } from "./pause-fixture";
import { logRestore, readPauses } from "./pauses";

const AT_MS = Date.parse("2026-03-02T12:00:00Z");

const test = databaseTest();

test("logs a restore once for the whole installation, and keeps its pauses", async ({ db }) => {
  const { database } = db;
  expect(await logRestore(database, AT_MS)).toBe(null);
  await pauseByRestore(database, "log", AT_MS);
  await pauseByRestore(database, "links", AT_MS);
  expect(await logRestore(database, AT_MS + 1)).toMatchObject({ since: new Date(AT_MS) });
  expect(await logRestore(database, AT_MS + 2)).toBe(null);
  const { rows } = await database.pool.query(
    "select company, kind, event, person_name, detail from audit_log",
  );
  expect(rows).toEqual([
    {
      company: "@house",
      kind: "pause",
      event: "restore.asked",
      person_name: null,
      detail: {
        subject: "backup of 2026-03-02T11:59:59.999Z",
        since: "2026-03-02T12:00:00.000Z",
        backup_at: "2026-03-02T11:59:59.999Z",
        paused: ["deletions", "deliveries", "displays", "links", "tokens"],
        because: "sessions, invitations and password links ended",
      },
    },
  ]);
  expect((await readPauses(database.orm)).map(({ what }) => what)).toEqual(["links"]);
});
