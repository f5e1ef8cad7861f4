import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createLog } from "@/lib/server/log";
import { readBackup } from "@/lib/server/store/backup/check-backup";
import { writeBackup } from "@/lib/server/store/backup/write-backup";
import { appendAudit } from "@/lib/server/store/audit/append-audit";
import { openAuditKeys } from "@/lib/server/store/audit/keys";
import { verifyAudit } from "@/lib/server/store/audit/verify-audit";
import { deriveKeys, type AuthSecrets } from "@/lib/server/keys";
import { openStore, type Store } from "@/lib/server/store/open-store";
import { connections } from "@/lib/server/store/schema/connections";
import { createConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import { channels } from "@/lib/server/store/schema/delivery";
import { people, secondFactors } from "@/lib/server/store/schema/people";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createUpstreamTokenStore } from "@/lib/server/store/upstream/upstream-tokens";
import { testProgram } from "@/lib/server/test-programs";
import { createFactorSeals, createSeal, OURS } from "@/lib/server/upstream/seal";
import { loadSeed } from "@/lib/v3-service/seed";
import { createV3Service } from "@/lib/v3-service/service";
import { bearer, TWO_COMPANIES } from "@/lib/v3-service/service-fixture";

/** Changing `AUTH_SECRET`: what works while the earlier secret is configured, and what still works without it. */

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const BEFORE = "an-earlier-secret-of-the-tests";
const AFTER = "the-present-secret-of-the-tests";
const SETTINGS = JSON.stringify({ kind: "webhook", settings: { url: "https://hooks.example/1" } });
const CLIENT = { origin: "https://api.example", clientId: "plumbline", clientSecret: "a secret" };
/** Made in a browser. */
const MADE = { baseUrl: "https://api.halden.example/api/v3", clientId: "plumbline" };
const root = fileURLToPath(new URL("..", import.meta.url));
const log = createLog("silent");
const clock = createManualClock(NOW_MS);

const test = databaseTest();
let dataDir: string;
let backup: string;
/** Of the v3 service, from before the change. */
let token: string;
test.beforeAll(async ({ db }) => {
  dataDir = mkdtempSync(path.join(tmpdir(), "plumbline-keys-"));
  backup = path.join(dataDir, "before.plumbline");
  const { database, store } = await open(db, [BEFORE]);
  await database.orm.transaction((tx) =>
    appendAudit(tx, "northgate", NOW_MS, [
      {
        kind: "file-deletion",
        actionId: "a",
        event: "delete.asked",
        person: null,
        requestId: null,
        detail: {},
      },
    ]),
  );
  const [maker] = await database.orm
    .insert(people)
    .values({ email: "ada@example.com", name: "Ada" })
    .returning();
  await database.orm.insert(channels).values({
    id: randomUUID(),
    kind: "webhook",
    name: "Alerts",
    shown: {},
    sealed: createSeal([BEFORE], OURS, "channel settings").close(SETTINGS),
    createdById: maker?.id ?? "",
    createdAt: new Date(NOW_MS),
  });
  await database.orm.insert(secondFactors).values({
    personId: maker?.id ?? "",
    sealed: createFactorSeals([BEFORE])(maker?.id ?? "").close("a TOTP secret"),
    onSince: new Date(NOW_MS),
  });
  await database.orm.insert(connections).values({
    company: "halden",
    name: "Halden",
    ...MADE,
    sealed: createConnectionSeals([BEFORE])(MADE).close("a client secret"),
    createdById: maker?.id ?? "",
    createdAt: new Date(NOW_MS),
  });
  const upstreamTokens = createUpstreamTokenStore(database, CLIENT);
  const kept = { scopes: "read:sync_status", lifeMs: 3_600_000 };
  await upstreamTokens.write("read", {
    ...kept,
    sealed: createSeal([BEFORE], CLIENT).close("a token"),
  });
  await upstreamTokens.write("grants", { ...kept, sealed: "" });
  await loadSeed(database, TWO_COMPANIES, NOW_MS);
  const v3 = await startV3(store, [BEFORE]);
  const answer = await v3.handle(
    new Request("http://localhost/api/v3/oauth/token", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials&client_id=nw&client_secret=north-secret",
    }),
    { clientAddress: "192.0.2.1" },
  );
  token = ((await answer.json()) as { access_token: string }).access_token;
  await v3.stop();
  const [key] = deriveKeys([BEFORE], "backups");
  await writeBackup(db.ownerUrl, backup, { log, key, build: "a build", nowMs: NOW_MS });
  await store.stop();
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
});

const headFile = () => path.join(dataDir, "audit-heads.json");
const keysOf = ([current, ...earlierAuthSecrets]: AuthSecrets) =>
  openAuditKeys({ dataDir, earlierAuthSecrets }, current, log);

async function open(db: TestDatabase, secrets: AuthSecrets) {
  const store = await openStore(
    { databaseUrl: db.database.connectionString, databaseMigrationUrl: null, dataDir },
    { log, audit: { keys: keysOf(secrets), headFile: headFile(), clock } },
  );
  return { store, database: store.database };
}

async function startV3({ database }: Store, secrets: AuthSecrets) {
  const service = createV3Service({
    database,
    keySeal: createSeal(secrets, OURS, "v3 signing keys"),
    clock,
    rateLimitPerMinute: 1_000,
    tokenRateLimitPerMinute: 1_000,
  });
  await service.start();
  return service;
}

/** What can be opened and verified with these secrets. */
async function whatGoesOn(db: TestDatabase, secrets: AuthSecrets) {
  const { store, database } = await open(db, secrets);
  try {
    const [channel] = await database.orm.select().from(channels);
    const [made] = await database.orm.select().from(connections);
    const [factor] = await database.orm.select().from(secondFactors);
    const stored = await createUpstreamTokenStore(database, CLIENT).read("read");
    const v3 = await startV3(store, secrets);
    const request = new Request("http://localhost/api/v3/sync_status", bearer(token));
    const { status } = await v3.handle(request, { clientAddress: "192.0.2.1" });
    await v3.stop();
    const manifest = await readBackup(backup, { keys: deriveKeys(secrets, "backups") }).catch(
      () => null,
    );
    return {
      channel: createSeal(secrets, OURS, "channel settings").open(channel?.sealed ?? ""),
      clientSecret: createConnectionSeals(secrets)(MADE).open(made?.sealed ?? ""),
      secondFactor: createFactorSeals(secrets)(factor?.personId ?? "").open(factor?.sealed ?? ""),
      upstreamToken: createSeal(secrets, CLIENT).open(stored?.sealed ?? ""),
      v3Status: status,
      audit: (await verifyAudit(database, keysOf(secrets).known, headFile())).isIntact,
      backup: manifest !== null,
    };
  } finally {
    await store.stop();
  }
}

function reseal(
  db: TestDatabase,
  given: Record<string, string>,
): Promise<{ code: number; out: string }> {
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "test" as const,
    DATA_DIR: dataDir,
    DATABASE_URL: db.database.connectionString,
    V3_BASE_URL: `${CLIENT.origin}/v3`,
    V3_CLIENT_ID: CLIENT.clientId,
    V3_CLIENT_SECRET: CLIENT.clientSecret,
    ...given,
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [testProgram("scripts/keys.ts"), "reseal"],
      { cwd: root, env },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out: out + err }),
    );
  });
}

const EVERYTHING = {
  channel: SETTINGS,
  clientSecret: "a client secret",
  secondFactor: "a TOTP secret",
  upstreamToken: "a token",
  v3Status: 200,
  audit: true,
  backup: true,
};

test("accepts everything while the earlier secret is configured, and after resealing without it", async ({
  db,
}) => {
  expect(await whatGoesOn(db, [AFTER, BEFORE])).toEqual(EVERYTHING);

  const first = await reseal(db, { AUTH_SECRET: AFTER, EARLIER_AUTH_SECRETS: BEFORE });
  expect(first.out).toMatch(/^settings of channels: 1 sealed again, 0 up to date$/m);
  expect(first.out).toMatch(/^client secrets of connections: 1 sealed again, 0 up to date$/m);
  expect(first.out).toMatch(/^secrets of authenticator apps: 1 sealed again, 0 up to date$/m);
  expect(first.out).toMatch(/^signing keys of the v3 service: 1 sealed again, 0 up to date$/m);
  expect(first.out).toMatch(/^access tokens of sources: 1 sealed again, 0 up to date$/m);
  expect(first.out).not.toContain("can't be opened");
  expect(first.code).toBe(0);
  const second = await reseal(db, { AUTH_SECRET: AFTER, EARLIER_AUTH_SECRETS: BEFORE });
  expect(second.out).toMatch(/^settings of channels: 0 sealed again, 1 up to date$/m);

  // A backup keeps its signature: an earlier one is restored with the secret of that time.
  expect(await whatGoesOn(db, [AFTER])).toEqual({ ...EVERYTHING, backup: false });
});

test("reports a lost secret and what to do, and creates a new key for the v3 service", async ({
  db,
}) => {
  const lost = await reseal(db, { AUTH_SECRET: "a-third-secret-of-the-tests" });
  expect(lost.out).toMatch(/1 can't be opened .*: enter them again at \/settings\/channels/);
  expect(lost.out).toMatch(/1 can't be opened .*: enter them again at \/settings\/connections/);
  expect(lost.out).toMatch(/1 can't be opened .*: recovery codes still work/);
  expect(lost.code).toBe(1);
  expect(await whatGoesOn(db, ["a-third-secret-of-the-tests"])).toMatchObject({
    channel: null,
    clientSecret: null,
    secondFactor: null,
    v3Status: 401,
  });
});
