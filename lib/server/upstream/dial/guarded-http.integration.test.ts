import type { lookup } from "node:dns";
import { afterEach, beforeEach, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createUpstream } from "@/lib/server/upstream/client";
import { isUpstreamFailure } from "@/lib/server/upstream/upstream";
import { addressRange, createDialGuard } from "./allowed-targets";

const test = freshDatabaseTest();
let api: MisbehavingUpstream;
let ending: AbortController;
beforeEach(async () => {
  ending = new AbortController();
  api = await startMisbehavingUpstream();
});
afterEach(async () => {
  ending.abort();
  await api.close();
});

const only = (range: string) => [range].flatMap((text) => addressRange(text) ?? []);

/** Resolves every name to the given addresses, one after another. */
function resolving(...addresses: string[]) {
  return ((
    _host: string,
    _options: object,
    done: (error: null, found: { address: string; family: number }[]) => void,
  ) => {
    const [address = ""] = addresses;
    if (addresses.length > 1) addresses.shift();
    done(null, [{ address, family: 4 }]);
  }) as unknown as typeof lookup;
}

function poll(db: TestDatabase, host: string, dialGuard: ReturnType<typeof createDialGuard>) {
  const clock = createManualClock(Date.now());
  const { clientId, clientSecret, baseUrl } = api;
  const upstream = createUpstream({
    connection: {
      company: "halden",
      name: "Halden",
      baseUrl: baseUrl.replace("127.0.0.1", host),
      clientId,
      clientSecret,
      browser: { pausedAtMs: null, isSecretReadable: true },
    },
    clock,
    random: () => 0,
    log: createLog("silent"),
    database: db.database,
    requestsPerMinute: 60,
    tokenRequestsPerMinute: 10,
    // Without a retry.
    pollSeconds: 1,
    databaseNowMs: clock.nowMs,
    dialGuard,
    signal: ending.signal,
  });
  return upstream.getSyncStatus({ page: 1, perPage: 100 }, "background").then(
    ({ value }) => value.data.length,
    (error: unknown) => (isUpstreamFailure(error) ? error.reason : error),
  );
}

test("a poll reaches an allowed address, and no other, whatever its name resolves to", async ({
  db,
}) => {
  const allowed = createDialGuard(only("127.0.0.0/8"));
  expect(await poll(db, "127.0.0.1", allowed)).toBe(12);
  const requests = api.requests.length;
  expect(await poll(db, "127.0.0.1", createDialGuard([]))).toBe("unreachable");
  for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1"]) {
    const guard = createDialGuard([], resolving(address));
    expect(await poll(db, "api.example", guard)).toBe("unreachable");
  }
  expect(api.requests).toHaveLength(requests);
});

test("a name that resolves to another address later is refused then", async ({ db }) => {
  const guard = createDialGuard(only("127.0.0.1/32"), resolving("127.0.0.1", "127.0.0.2"));
  expect(await poll(db, "rebinding.example", guard)).toBe(12);
  const requests = api.requests.length;
  expect(await poll(db, "rebinding.example", guard)).toBe("unreachable");
  expect(api.requests).toHaveLength(requests);
});
