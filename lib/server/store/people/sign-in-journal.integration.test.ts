import { expect } from "vitest";
import { createSecurityLog, type SecurityLog } from "@/lib/server/security-log";
import { createLog } from "@/lib/server/log";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { INSTALLATION } from "@/lib/server/store/audit/installation-log";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createSignInJournal, type SignInJournal } from "./sign-in-journal";
import { createPerson } from "./people";

const test = freshDatabaseTest();
let clock: ManualClock;
let journal: SignInJournal;
let securityLog: SecurityLog;
let lines: Record<string, unknown>[];
let ana: { id: string; name: string };
test.beforeEach(async ({ db }) => {
  clock = createManualClock(Date.parse("2026-03-02T12:00:00Z"));
  lines = [];
  const log = createLog("info", {
    write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  journal = createSignInJournal({ clock, log });
  securityLog = createSecurityLog({ clock, log, onLine: (line) => journal.take(line) });
  const account = { email: "ana@example.com", name: "Ana Rask", grants: [], passwordHash: null };
  ana = { id: await createPerson(db.database.orm, account), name: "Ana Rask" };
});

/** The chain's contents after everything queued is written. */
async function written(db: TestDatabase) {
  await journal.stop();
  const { rows } = await db.database.pool.query<Record<string, unknown>>(
    `select event, person_email as by, detail->>'subject' as subject, detail->>'because' as because, at
     from audit_log where company = $1 order by seq`,
    [INSTALLATION],
  );
  const checks = await checkAudit(db.database, { keys: new Map(TEST_KEYS.known) });
  expect(checks.map(({ broken }) => broken)).toEqual(rows.length === 0 ? [] : [null]);
  return rows;
}

test("records sign-in events with account, address and time", async ({ db }) => {
  journal.start(db.database);
  const address = "192.0.2.1";
  securityLog.record("sign_in", { address, person: ana });
  securityLog.record("sign_in_refused", { address, person: ana }, { known: true });
  securityLog.record("sign_in_refused", { address: "192.0.2.2", person: null }, { known: false });
  securityLog.record("sign_in_locked", { address, person: ana }, { limit: "account" });
  securityLog.record("session_ended", { address, person: ana }, { why: "revoked" });
  securityLog.record("sign_out", { address, person: ana }, { why: "asked" });
  securityLog.record("forbidden", { address, person: ana }, { right: "view" });
  const at = new Date(clock.nowMs());
  const ofAna = { subject: "ana@example.com", at };
  expect(await written(db)).toEqual([
    { event: "sign-in.asked", by: "ana@example.com", because: "from 192.0.2.1", ...ofAna },
    { event: "refuse.asked", by: null, because: "from 192.0.2.1", ...ofAna },
    { event: "refuse.asked", by: null, subject: "unknown account", because: "from 192.0.2.2", at },
    {
      event: "lock.asked",
      by: null,
      because: "from 192.0.2.1, limit of the account",
      ...ofAna,
    },
    { event: "end.asked", by: null, because: "from 192.0.2.1, revoked", ...ofAna },
    { event: "sign-out.asked", by: "ana@example.com", because: "from 192.0.2.1, asked", ...ofAna },
  ]);
});

test("bounds the events of an attacker guessing for hours, and counts the rest", async ({ db }) => {
  journal.start(db.database);
  let made = 0;
  for (let minute = 0; minute < 61; minute++) {
    for (let i = 0; i < 40; i++, made++) {
      const address = `10.${minute}.${i}.1`;
      securityLog.record("sign_in_refused", { address, person: null }, { known: false });
    }
    await clock.advance(60_000);
  }
  securityLog.record("sign_in", { address: "192.0.2.1", person: ana });
  const rows = await written(db);
  expect(rows.length).toBeLessThan(125);
  expect(rows.at(-1)).toMatchObject({ event: "sign-in.asked" });
  const others = rows.filter(({ subject }) => subject === "several accounts");
  expect(others).toHaveLength(1);
  expect(String(others[0]?.["because"])).toMatch(/^\d{3,4} times$/);
  expect(made).toBe(2_440);
});

test("queues events before the database is open and while it is unavailable", async ({ db }) => {
  const address = "192.0.2.1";
  securityLog.record("sign_in", { address, person: ana });
  await db.asOwner("alter table audit_heads rename to away");
  journal.start(db.database);
  await clock.untilSleeping(2);
  expect(lines.at(-1)).toMatchObject({ event: "evidence_waits", count: 1 });
  await db.asOwner("alter table away rename to audit_heads");
  securityLog.record("sign_out", { address, person: ana }, { why: "asked" });
  await clock.advance(5_000);
  expect((await written(db)).map(({ event }) => event)).toEqual([
    "sign-in.asked",
    "sign-out.asked",
  ]);
});
