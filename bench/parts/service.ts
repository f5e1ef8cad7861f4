import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { SignJWT } from "jose";
import { benchRows } from "@/bench/endpoints";
import type { Bench } from "@/bench/bench";
import { BARE_ETAG, putBare } from "@/bench/floor";
import { cpuMsPerRequest, fetchOnce } from "@/bench/load";
import { startApp } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const SMALL = 100;
const LARGE = 10_000;
const SECRET = "a secret for the bench";

/** The embedded v3 service: the first page of `GET /sync_status`; and the liveness address. */
export async function service(bench: Bench): Promise<Row[]> {
  const bare = await bench.bare();
  const directory = await mkdtemp(path.join(os.tmpdir(), "plumbline-bench-"));
  const seed = path.join(directory, "seed.json");
  await writeFile(seed, JSON.stringify({ companies: [SMALL, LARGE].map(companyOf) }));
  const app = await startApp(path.join(directory, "data"), {
    V3_SERVICE: "on",
    V3_SERVICE_SEED: seed,
    V3_RATE_LIMIT_PER_MINUTE: "1000000",
  });
  try {
    const ask = async (size: number) => ({
      server: app,
      path: "/api/v3/sync_status",
      headers: { authorization: `Bearer ${await tokenFor(app.address, size)}` },
      status: 200,
    });
    const requests = [await ask(SMALL), await ask(LARGE)] as const;
    await putBare(bare, await fetchOnce(requests[0]));
    const [ready = 0, small = 0, large = 0] = await cpuMsPerRequest([
      { ...requests[0], server: bare },
      ...requests,
    ]);
    const live = { server: app, path: "/api/health/live", status: 200 };
    await putBare(bare, await fetchOnce(live));
    const [readyLive = 0, ownLive = 0] = await cpuMsPerRequest([{ ...live, server: bare }, live]);
    const refused = { server: app, path: "/api/v3/sync_status", status: 401 };
    const [unchanged = 0, ...refusals] = await cpuMsPerRequest([
      { server: bare, path: "/", headers: { "if-none-match": BARE_ETAG }, status: 304 },
      refused,
      { ...refused, headers: { authorization: `Bearer ${await foreignToken()}` } },
    ]);
    const against = "bare node:http sending the same ready bytes";
    const what = (size: string) =>
      `v3 service, GET /sync_status, ${size} sync configs: CPU a request`;
    const [most, mostApart] = [
      { of: "ratio", most: 4 },
      { of: "ratio", most: 1.5 },
    ] as const;
    return [
      { what: what("100"), against, floor: ready, ours: small, unit: "ms", goal: most },
      { what: what("10,000"), against, floor: ready, ours: large, unit: "ms", goal: most },
      {
        what: what("10,000"),
        against: "100 sync configs",
        floor: small,
        ours: large,
        unit: "ms",
        goal: mostApart,
      },
      ...["without a token", "with a token of another key"].map((how, at) => ({
        what: `v3 service, refused ${how}: CPU a request`,
        against: "bare node:http answering 304",
        floor: unchanged,
        ours: refusals[at] ?? Number.NaN,
        unit: "ms" as const,
        goal: most,
      })),
      {
        what: "/api/health/live: CPU a request",
        against,
        floor: readyLive,
        ours: ownLive,
        unit: "ms",
        goal: most,
      },
    ];
  } finally {
    await app.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** A company of the seed file, with its only client. */
function companyOf(size: number) {
  return {
    id: size,
    name: `Company of ${size}`,
    clients: [
      {
        client_id: `client-${size}`,
        client_secret: SECRET,
        scopes: ["read:sync_status"],
        grant_types: ["client_credentials"],
      },
    ],
    sync_configs: benchRows(size, Date.now()).map(({ id, attributes: row }) => ({
      id: `${size}-${id}`,
      partner_name: row.partner_name,
      endpoint_key: row.endpoint_key,
      status: row.status,
      frequency_minutes: row.frequency_minutes,
      next_sync_at: row.next_sync_at,
      runs: [
        {
          started_at: row.last_sync_started_at,
          finished_at: row.last_sync_finished_at,
          status: row.last_sync_status,
        },
      ],
      api_calls: [{ at: "-PT3H", count: row.api_calls_last_24h }],
    })),
    schedule_files: [],
  };
}

/** A token that looks like ours. */
function foreignToken(): Promise<string> {
  return new SignJWT({ company: SMALL, scope: "read:sync_status" })
    .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: "0123456789abcdef" })
    .setIssuer("urn:plumbline:v3")
    .setAudience("urn:plumbline:v3")
    .setSubject(`client-${SMALL}`)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new Uint8Array(32));
}

async function tokenFor(address: string, size: number): Promise<string> {
  const answer = await fetch(`${address}/api/v3/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: `client-${size}`,
      client_secret: SECRET,
    }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
