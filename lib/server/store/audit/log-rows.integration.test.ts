import { expect, onTestFinished, test } from "vitest";
import { createLog } from "@/lib/server/log";
import { openDatabase } from "@/lib/server/store/connect";
import { auditLog } from "@/lib/server/store/schema/audit";
import { asTestApp, createTestDatabase } from "@/lib/server/store/test-database";
import { TEST_KEYS } from "./audit-fixture";
import { audited } from "./audited";
import { logRows } from "./log-rows";

const ANA = { id: "b5f4b0ad-7f3d-4d0c-9a43-1d5a4b3a1c11", name: "Ana", email: "ana@example.com" };

test("logs each committed row with the hash that it has in the database, and no other", async () => {
  const lines: { msg: string; audit: Record<string, unknown> }[] = [];
  const log = createLog("info", {
    write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  });
  const testDatabase = await createTestDatabase();
  onTestFinished(() => testDatabase.drop());
  const database = await openDatabase(asTestApp(testDatabase.ownerUrl), {
    log,
    max: 2,
    audit: { keys: TEST_KEYS, onCommit: (rows) => logRows(log, rows) },
  });
  onTestFinished(() => database.close());
  lines.length = 0;

  const write = (subject: string, isFailing: boolean) =>
    database.orm.transaction(async (tx) => {
      const event = { company: "northgate", kind: "rule", action: "change", subject };
      await audited(tx, { person: ANA, nowMs: 0, requestId: "r" }, event);
      await audited(tx, { person: null, nowMs: 1 }, { ...event, company: null });
      if (isFailing) throw new Error("rolled back");
    });
  await write("first\nrule", false);
  await expect(write("never", true)).rejects.toThrow("rolled back");
  await write("second", false);

  const rows = await database.orm.select().from(auditLog).orderBy(auditLog.seq, auditLog.company);
  const logged = lines.filter(({ msg }) => msg === "audit row").map(({ audit }) => audit);
  expect(logged).toHaveLength(4);
  for (const row of rows) {
    expect(logged).toContainEqual({
      company: row.company,
      seq: row.seq,
      at: row.at.toISOString(),
      kind: "rule",
      event: "change.asked",
      person: row.company === "northgate" ? ANA : null,
      action_id: row.actionId,
      request_id: row.requestId,
      detail: row.detail,
      key_id: row.keyId,
      hash: row.hash,
    });
  }
});
