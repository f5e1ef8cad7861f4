import { afterEach, beforeEach, expect } from "vitest";
import { systemClock } from "@/lib/server/clock";
import type { AuthSecrets } from "@/lib/server/keys";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import {
  changeConnection,
  insertConnection,
  removeConnection,
  resealConnections,
} from "@/lib/server/store/connections/connections";
import { createNotifications } from "@/lib/server/store/notifications";
import { createPerson } from "@/lib/server/store/people/people";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { mergeConnections } from "@/lib/server/upstream/connections";
import { restsBecause, type Connection } from "@/lib/server/upstream/upstream";
import { createBrowserConnections, type BrowserConnections } from "./browser-connections";
import { createConnectionSeals } from "./connection-seals";

const SECRET = "a secret of the tests, 32 bytes or more";
const HALDEN = {
  company: "halden",
  name: "Halden Construction",
  baseUrl: "https://api.halden.example/api/v3",
  clientId: "hc-plumbline",
  timeZone: null,
  externalId: "CRM-7",
};
const log = createLog("silent");

const test = freshDatabaseTest();
let change: Parameters<typeof removeConnection>[2];
let running: { stop(): Promise<void> }[];
beforeEach(() => {
  running = [];
});
test.beforeEach(async ({ db }) => {
  const grants = [{ role: "administrator" as const, company: null }];
  const ada = { email: "ada@example.com", name: "Ada" };
  const id = await createPerson(db.database.orm, { ...ada, grants, passwordHash: null });
  change = { person: { id, ...ada }, nowMs: Date.now() };
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
});

/** Starts what one instance runs. */
async function startInstance(
  db: TestDatabase,
  secrets: AuthSecrets = [SECRET],
): Promise<BrowserConnections & { changes: () => number }> {
  let changes = 0;
  const browser = createBrowserConnections({
    database: db.database,
    clock: systemClock,
    log,
    seals: createConnectionSeals(secrets),
    onChange: () => (changes += 1),
  });
  const notifications = createNotifications({
    database: db.database,
    clock: systemClock,
    random: () => 0,
    log,
  });
  notifications.subscribe("connections", browser.receive);
  notifications.start();
  browser.start();
  running.push(browser, notifications);
  await browser.reread();
  return { ...browser, changes: () => changes };
}

const insert = (
  db: TestDatabase,
  more: Partial<typeof HALDEN> = {},
  secret = "a client secret",
) => {
  const values = { ...HALDEN, ...more };
  const sealed = createConnectionSeals([SECRET])(values).close(secret);
  return insertConnection(db.database, { ...values, sealed }, change);
};

test("every instance uses a change within five seconds", async ({ db }) => {
  const [one, two] = [await startInstance(db), await startInstance(db)];
  async function everywhere(expected: readonly Partial<Connection>[]): Promise<void> {
    const lists = () => [one.list(), two.list()];
    await expect.poll(lists, { timeout: 5_000 }).toMatchObject([expected, expected]);
  }

  expect(await insert(db)).toBe("halden");
  const connection = {
    company: "halden",
    name: "Halden Construction",
    baseUrl: "https://api.halden.example/api/v3",
    clientId: "hc-plumbline",
    clientSecret: "a client secret",
    externalId: "CRM-7",
    browser: { pausedAtMs: null, isSecretReadable: true },
  };
  await everywhere([connection]);
  await changeConnection(db.database, "halden", { name: "Halden", isPaused: true }, change);
  await everywhere([
    { name: "Halden", browser: { pausedAtMs: change.nowMs, isSecretReadable: true } },
  ]);
  expect(restsBecause(one.list()[0]!)).toBe("disconnected");
  await changeConnection(db.database, "halden", { isPaused: false }, change);
  await everywhere([{ name: "Halden", browser: { pausedAtMs: null, isSecretReadable: true } }]);
  await removeConnection(db.database, "halden", change);
  await everywhere([]);
  expect([...two.removed()]).toEqual(["halden"]);
  expect(two.changes()).toBe(4);
});

test("a change that wasn't announced is used within five seconds", async ({ db }) => {
  const instance = await startInstance(db);
  await insert(db);
  await expect.poll(() => instance.list(), { timeout: 5_000 }).toHaveLength(1);
  await db.database.pool.query("update connections set name = 'Renamed'");
  await expect.poll(() => instance.list()[0]?.name, { timeout: 5_000 }).toBe("Renamed");
});

test("changes that are announced together are read once", async ({ db }) => {
  const clock = createManualClock(0);
  let changes = 0;
  const browser = createBrowserConnections({
    database: db.database,
    clock,
    log,
    seals: createConnectionSeals([SECRET]),
    onChange: () => (changes += 1),
  });
  running.push(browser);
  for (const company of ["halden", "tarn", "skarn"]) {
    await insert(db, { company, clientId: company });
    browser.receive();
  }
  expect(clock.sleeping()).toHaveLength(1);
  await clock.advance(1_000);
  await expect.poll(() => browser.list()).toHaveLength(3);
  expect(changes).toBe(1);
});

test("a slug is taken until its record is forgotten, and the same host and client resume it", async ({
  db,
}) => {
  const instance = await startInstance(db);
  expect(await insert(db)).toBe("halden");
  expect(await insert(db)).toBeNull();
  await removeConnection(db.database, "halden", change);
  expect(await insert(db, { clientId: "another" })).toBeNull();
  expect(await insert(db, { company: "halden-2" }, "a new secret")).toBe("halden");
  await instance.reread();
  expect(instance.list()).toMatchObject([{ company: "halden", clientSecret: "a new secret" }]);
  await db.database.pool.query(
    "insert into companies (slug, name) values ('recorded', 'Recorded')",
  );
  expect(await insert(db, { company: "recorded", clientId: "third" })).toBeNull();
});

test("a slug that is configured as well isn't used", async ({ db }) => {
  const instance = await startInstance(db);
  await insert(db);
  await insert(db, { company: "tarn", clientId: "tarn" });
  await instance.reread();
  const ofFile = { ...instance.list()[0]!, name: "Of the file" };
  delete ofFile.browser;
  expect(
    mergeConnections([ofFile], instance.list()).map(({ name, company }) => [company, name]),
  ).toEqual([
    ["halden", "Of the file"],
    ["tarn", "Halden Construction"],
  ]);
});

test("a secret stays readable after AUTH_SECRET changed, and one that isn't rests", async ({
  db,
}) => {
  await insert(db);
  const changed = await startInstance(db, ["another secret of the tests, 32 bytes", SECRET]);
  expect(changed.list()).toMatchObject([{ clientSecret: "a client secret" }]);
  const without = await startInstance(db, ["another secret of the tests, 32 bytes"]);
  const [connection] = without.list();
  expect(connection).toMatchObject({ clientSecret: "", browser: { isSecretReadable: false } });
  expect(restsBecause(connection!)).toBe("secret_unreadable");
  const seals = createConnectionSeals(["another secret of the tests, 32 bytes", SECRET]);
  expect(await resealConnections(db.database, seals)).toEqual({ resealed: 1, current: 0, lost: 0 });
  await without.reread();
  expect(without.list()).toMatchObject([{ clientSecret: "a client secret" }]);
});

test("a stored secret can't be opened for another host or client", async ({ db }) => {
  await insert(db);
  const instance = await startInstance(db);
  for (const column of ["base_url", "client_id"]) {
    await insert(db, { company: column.replace("_", "-"), clientId: column });
    await db.database.pool.query(
      `update connections set ${column} = 'https://attacker.example/api/v3' where company = $1`,
      [column.replace("_", "-")],
    );
  }
  await instance.reread();
  const secrets = instance.list().map(({ company, clientSecret }) => [company, clientSecret]);
  expect(Object.fromEntries(secrets)).toEqual({
    halden: "a client secret",
    "base-url": "",
    "client-id": "",
  });
});

test("a row with an invalid base URL doesn't affect the others", async ({ db }) => {
  await insert(db);
  await insert(db, { company: "tarn", clientId: "tarn" });
  await db.database.pool.query("update connections set base_url = 'x' where company = 'halden'");
  const instance = await startInstance(db);
  expect(instance.list()).toMatchObject([{ company: "tarn", clientSecret: "a client secret" }]);
});

test("changes are in the audit log without the secret", async ({ db }) => {
  await insert(db);
  const sealed = createConnectionSeals([SECRET])(HALDEN).close("the next secret");
  await changeConnection(db.database, "halden", { sealed, name: "Halden", isPaused: true }, change);
  await removeConnection(db.database, "halden", change);
  const { rows } = await db.database.pool.query<{ event: string; detail: Record<string, string> }>(
    "select event, detail from audit_log where kind = 'connection' order by seq",
  );
  expect(rows.map(({ event, detail }) => [event, detail["slug"], detail["because"]])).toEqual([
    ["make.asked", "halden", undefined],
    ["change.asked", "halden", "name, client secret"],
    ["pause.asked", "halden", undefined],
    ["remove.asked", "halden", undefined],
  ]);
  const { rows: left } = await db.database.pool.query("select * from connections");
  expect(left).toMatchObject([{ sealed: null, company: "halden" }]);
  expect(JSON.stringify([rows, left])).not.toMatch(/secret of|next secret|a client secret/);
});
