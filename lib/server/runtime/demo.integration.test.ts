import pino from "pino";
import { expect } from "vitest";
import { ensureDemoPeople } from "@/lib/server/auth/demo-people";
import { systemClock } from "@/lib/server/clock";
import { createManualClock } from "@/lib/server/manual-clock";
import { createPerson, findAccount } from "@/lib/server/store/people/people";
import { createNotifications } from "@/lib/server/store/notifications";
import { saveCompanies } from "@/lib/server/store/sync/write-snapshot";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { silentLog } from "@/lib/v3-service/log";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import { createSimulator } from "@/lib/v3-service/simulator/simulator";
import { createWorld } from "@/lib/v3-service/simulator/world";
import { openDemo, type Demo } from "./demo";
import { writeNewestPast } from "./demo-past";

const ADMIN = "ada@example.com";
const MEMBER = "member@demo.plumbline.local";
const OPERATOR = "operator@demo.plumbline.local";
const SLUGS = DEMO_COMPANIES.map(({ slug }) => slug);
const REAL = { slug: "acme", name: "Acme" };
const log = pino({ level: "silent" });

// Because the demo is removed only once.
const test = freshDatabaseTest();

const open = (db: TestDatabase, clock = systemClock, adminEmail = ADMIN) =>
  openDemo({
    isConfigured: true,
    database: db.database,
    service: db.database,
    adminEmail,
    clock,
    log,
  });

/** A running demo with its past, accounts and a session, beside a real company. @returns the administrator */
async function populate(db: TestDatabase) {
  const { database } = db;
  const nowMs = Date.now();
  const world = createWorld({ seed: 7, epochMs: nowMs });
  await createSimulator({ database, clock: systemClock, world, log: silentLog }).seedIfEmpty({
    clientSecrets: { northgate: "n", harbour: "h", orchard: "o" },
  });
  await writeNewestPast(database, { clock: { nowMs: () => nowMs }, world });
  await ensureDemoPeople(database);
  await saveCompanies(database, [...DEMO_COMPANIES, REAL].map(named), nowMs);
  const person = await createPerson(database.orm, {
    email: ADMIN,
    name: "Ada",
    passwordHash: null,
    grants: [{ role: "administrator", company: null }],
  });
  const member = await idOf(db, MEMBER);
  await database.pool.query(
    `insert into sessions (id, person_id, created_at, expires_at, last_seen_at, address)
     values ('s', $1, now(), now() + interval '1 day', now(), '192.0.2.1')`,
    [member],
  );
  await database.pool.query(
    `insert into allowances (company, partner_name, calls, per, by_id, by_name, at)
     values ('northgate', 'Procore', 100, 'day', $1, 'Milo Brandt', now())`,
    [member],
  );
  return { id: person, name: "Ada", email: ADMIN };
}

const named = ({ slug, name }: { slug: string; name: string }) => ({ slug, name });

/** What the leading collector does once the companies are disconnected. */
const disconnect = (db: TestDatabase) => saveCompanies(db.database, [REAL], Date.now());

async function idOf(db: TestDatabase, email: string): Promise<string | null> {
  return (await findAccount(db.database.orm, email, "", 0))?.id ?? null;
}

/** Number of rows per table that belong to a company of the demo; the audit log aside. */
async function rowsOfDemo(db: TestDatabase): Promise<Record<string, number>> {
  const { pool } = db.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name::text as name from information_schema.columns
     where table_schema = 'public' and column_name = 'company' and table_name not like 'audit%'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from "${name}" where company = any ($1)`,
      [SLUGS],
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) counts[name] = count;
  }
  return counts;
}

const amount = async (db: TestDatabase, of: string) => {
  const { rows } = await db.database.pool.query<{ count: number }>(
    `select count(*)::int from ${of}`,
  );
  return rows[0]?.count;
};

const notificationsOf = (db: TestDatabase) =>
  createNotifications({ database: db.database, clock: systemClock, random: Math.random, log });

test("removes companies, people, sessions and record on all instances, and doesn't come back", async ({
  db,
}) => {
  const person = await populate(db);
  expect((await rowsOfDemo(db))["runs"]).toBeGreaterThan(1_000);
  const [one, other] = await Promise.all([open(db), open(db)]);
  const notifications = [notificationsOf(db), notificationsOf(db)] as const;
  one.start(notifications[0]);
  other.start(notifications[1]);
  for (const each of notifications) each.start();
  expect([one.isOn(), other.isOn()]).toEqual([true, true]);
  expect(one.has("northgate")).toBe(true);
  expect(one.has(REAL.slug)).toBe(false);
  const ended = new Promise<void>((resolve) => other.onEnd(resolve));
  one.onEnd(() => void disconnect(db));

  const startedMs = Date.now();
  expect(await one.remove({ person, nowMs: startedMs })).toBe("removed");
  expect(Date.now() - startedMs).toBeLessThan(10_000);
  await ended;
  expect([one.isOn(), other.isOn(), one.has("northgate")]).toEqual([false, false, false]);

  expect(await rowsOfDemo(db)).toEqual({});
  expect(await amount(db, "companies")).toBe(1);
  expect(await amount(db, "v3.companies")).toBe(0);
  expect(await amount(db, "v3.clients")).toBe(0);
  expect(await amount(db, "v3.schedule_files")).toBe(0);
  expect(await amount(db, "sessions")).toBe(0);
  const { rows } = await db.database.pool.query("select email from people");
  expect(rows).toEqual([{ email: ADMIN }]);
  const { rows: logged } = await db.database.pool.query(
    `select event, person_email as by, detail ->> 'subject' as subject from audit_log order by seq`,
  );
  expect(logged).toContainEqual({ event: "remove-demo.asked", by: ADMIN, subject: "Demo" });
  expect(logged).toContainEqual({ event: "disable.asked", by: null, subject: MEMBER });

  // Neither after a restart nor on a new instance, and a repeated request changes nothing.
  const later = await open(db);
  expect(later.isOn()).toBe(false);
  expect(await ensureDemoPeople(db.database)).toEqual([]);
  expect(await one.remove({ person, nowMs: Date.now() })).toBe("removed");
  await stopAll([one, other, later], notifications);
}, 60_000);

test("completes an interrupted removal at the next start", async ({ db }) => {
  const person = await populate(db);
  const clock = createManualClock(Date.now());
  const interrupted = await open(db, clock);
  // No collector disconnects the companies, so it waits.
  const removing = interrupted.remove({ person, nowMs: clock.nowMs() });
  await clock.untilSleeping(2);
  await clock.advance(8_000);
  expect(await removing).toBe("removing");
  expect(interrupted.isOn()).toBe(false);
  await interrupted.stop();
  expect((await rowsOfDemo(db))["runs"]).toBeGreaterThan(1_000);

  const notifications = notificationsOf(db);
  const next = await open(db);
  expect(next.isOn()).toBe(false);
  await disconnect(db);
  next.start(notifications);
  await expect.poll(() => rowsOfDemo(db), { timeout: 20_000 }).toEqual({});
  await expect.poll(() => amount(db, "demo_removal where finished_at is not null")).toBe(1);
  await stopAll([next], [notifications]);
}, 60_000);

test("keeps administrators, ADMIN_EMAIL, and accounts that other companies' history refers to", async ({
  db,
}) => {
  const person = await populate(db);
  const { pool } = db.database;
  const [member, operator] = [await idOf(db, MEMBER), await idOf(db, OPERATOR)];
  await pool.query(`delete from grants where person_id = $1`, [operator]);
  await pool.query(`insert into grants (person_id, role) values ($1, 'administrator')`, [operator]);
  await pool.query(
    `insert into allowances (company, partner_name, calls, per, by_id, by_name, at)
     values ($1, 'Procore', 100, 'day', $2, 'Milo Brandt', now())`,
    [REAL.slug, member],
  );
  const demo = await open(db, systemClock, "Viewer@Demo.Plumbline.Local");
  demo.onEnd(() => void disconnect(db));
  expect(await demo.remove({ person, nowMs: Date.now() })).toBe("removed");
  const { rows } = await pool.query(
    "select email, disabled_at is not null as disabled from people order by email",
  );
  expect(rows).toEqual([
    { email: ADMIN, disabled: false },
    { email: MEMBER, disabled: true },
    { email: OPERATOR, disabled: false },
    { email: "viewer@demo.plumbline.local", disabled: false },
  ]);
  expect(await amount(db, "allowances")).toBe(1);
  await demo.stop();
}, 60_000);

async function stopAll(
  demos: readonly Demo[],
  notifications: readonly ReturnType<typeof createNotifications>[],
): Promise<void> {
  await Promise.all([...demos, ...notifications].map((each) => each.stop()));
}
