import { test } from "vitest";
import type { Database } from "@/lib/server/store/database";
import { createTestDatabase } from "@/lib/server/store/test-database";
import { loadSeed } from "./seed";
import type { KeySeal } from "./signing-keys";
import { createV3Service, type V3Service } from "./service";

/** A Sunday noon, the start of the tests' clock. */
export const START_MS = Date.parse("2026-03-01T12:00:00Z");

/** Only marks values as sealed. */
export const TEST_KEY_SEAL: KeySeal = {
  close: (text) => `sealed:${text}`,
  open: (sealed) => (sealed.startsWith("sealed:") ? sealed.slice("sealed:".length) : null),
};

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/**
 * The complete service on a test's own database, with a clock that only moves when set. Limits are out of reach unless
 * given.
 */
export async function startTestService(
  db: { database: Database; asOwner(statement: string): Promise<void>; drop(): Promise<void> },
  options: { seed?: unknown; limit?: number; tokenLimit?: number } = {},
) {
  const { database } = db;
  const clock = { ms: START_MS, nowMs: () => clock.ms };
  const logged: object[] = [];
  const noted: object[] = [];
  const create = (): V3Service =>
    createV3Service({
      database,
      keySeal: TEST_KEY_SEAL,
      clock,
      rateLimitPerMinute: options.limit ?? 1_000_000,
      tokenRateLimitPerMinute: options.tokenLimit ?? 1_000_000,
      log: { info: () => {}, error: (detail) => logged.push(detail) },
      securityLog: {
        record: (event, { address }, facts) => noted.push({ event, address, ...facts }),
        failed: (event, err, { method, url }) => logged.push({ event, err, method, url }),
      },
    });
  if (options.seed !== undefined) await loadSeed(database, options.seed, START_MS);
  const service = create();
  await service.start();

  const send = (path: string, init: RequestInit = {}, clientAddress = "192.0.2.1") =>
    service.handle(new Request(`http://localhost/api/v3${path}`, init), { clientAddress });

  return {
    database,
    asOwner: (statement: string) => db.asOwner(statement),
    clock,
    logged,
    /** Recorded security events. */
    noted,
    service,
    /** Another process on the same database. */
    create,
    send,
    /** Sends a form to the token endpoint. */
    askToken: (form: Record<string, string> | string, init: RequestInit = {}) =>
      send("/oauth/token", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(form).toString(),
        ...init,
      }),
    /** An access token of a seeded client. */
    async token(clientId: string, clientSecret: string, scope?: string): Promise<string> {
      const response = await this.askToken({
        grant_type: "client_credentials",
        client_id: clientId,
        client_secret: clientSecret,
        ...(scope === undefined ? {} : { scope }),
      });
      const body = (await response.json()) as { access_token: string };
      if (!response.ok) throw new Error(`no token: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    async stop(): Promise<void> {
      await service.stop();
      await db.drop();
    },
  };
}

/** `test` with a service, `v3`, that all tests of the file share. To be called in each file, like `databaseTest`. */
export const serviceTest = (options: Parameters<typeof startTestService>[1] = {}) =>
  test.extend("v3", { scope: "file" }, async ({}, { onCleanup }) => {
    const v3 = await startTestService(await createTestDatabase(), options);
    onCleanup(() => v3.stop());
    return v3;
  });

/** Request headers with a bearer token. */
export function bearer(token: string): RequestInit & { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } };
}

export const ALL_SCOPES = ["read:sync_status", "read:schedule_files", "write:schedule_files"];

/** Two companies: 42 with configs and files, 43 with one file. */
export const TWO_COMPANIES = {
  companies: [
    {
      id: 42,
      name: "Northwind Builders",
      clients: [
        {
          client_id: "nw",
          client_secret: "north-secret",
          scopes: ALL_SCOPES,
          grant_types: ["client_credentials"],
        },
        {
          client_id: "nw-reader",
          client_secret: "reader-secret",
          scopes: ["read:sync_status"],
          grant_types: ["client_credentials"],
        },
        {
          client_id: "nw-browser",
          client_secret: "browser-secret",
          scopes: ALL_SCOPES,
          grant_types: ["authorization_code"],
        },
      ],
      sync_configs: [
        {
          id: "sc-1",
          partner_name: "Procore",
          endpoint_key: "rfis",
          status: "active",
          frequency_minutes: 60,
          next_sync_at: "PT20M",
          recorded_sync_at: null,
          runs: [{ started_at: "-PT42M", finished_at: "-PT40M", status: "completed" }],
          pipeline_landings: ["-PT10M"],
          api_calls: [{ at: "-PT3H", count: 120 }],
        },
      ],
      schedule_files: [
        {
          id: 7,
          name: "Tower rev 3.xer",
          is_baseline: false,
          customer_project: null,
          created_at: "-P2D",
          file_type: "xer",
          partner_token_id: null,
        },
        {
          id: 9007199254740991,
          name: "Ünïcode “tower”.mpp",
          is_baseline: true,
          customer_project: {
            id: 5,
            name: "Tower",
            source: "procore",
            customer_project_id: "P-5",
          },
          created_at: "-P1D",
          file_type: "mpp",
          partner_token_id: 31,
        },
      ],
    },
    {
      id: 43,
      name: "Harbour",
      clients: [
        {
          client_id: "hb",
          client_secret: "harbour-secret",
          scopes: ALL_SCOPES,
          grant_types: ["client_credentials"],
        },
      ],
      sync_configs: [],
      schedule_files: [
        {
          id: 8,
          name: "Quay.xml",
          is_baseline: false,
          customer_project: null,
          created_at: "-P3D",
          file_type: "xml",
          partner_token_id: null,
        },
      ],
    },
  ],
};
