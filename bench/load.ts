import { Pool } from "undici";
import type { MeasuredServer } from "./measured-server";
import { median } from "./median";

/** A request that is sent repeatedly to one server. */
export type Load = {
  server: MeasuredServer;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** `Cookie` headers that are chosen from at random, because the number of requests a minute is limited for each session. */
  cookies?: readonly string[];
  /** Any other status is an error, because error responses are cheap. */
  status: number;
};

/** Concurrent keep-alive connections. Few, so that requests hardly queue in the measured process. */
const CONNECTIONS = 4;
/** CPU time of the server: enough for V8 to optimise. */
const WARM_UP_MS = 3000;
/** CPU time of one round, many times the resolution of CPU clocks. */
const ROUND_MS = 350;
const ROUNDS = 11;
/** Requests between two readings of the clock while warming up. */
const WARM_UP_STEP = 100;

/**
 * CPU time of the server per request, for each load, milliseconds: the median of rounds. The loads alternate, so that
 * other activity of the machine affects all of them; wall time doesn't matter.
 */
export async function cpuMsPerRequest(loads: readonly Load[]): Promise<number[]> {
  const lanes = loads.map((load) => {
    const pool = new Pool(load.server.address, { connections: CONNECTIONS });
    return { load, pool, costsMs: [] as number[], requests: WARM_UP_STEP };
  });
  try {
    for (const lane of lanes) lane.requests = await warmUp(lane);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const lane of lanes) lane.costsMs.push(await costMs(lane));
    }
  } finally {
    await Promise.all(lanes.map(({ pool }) => pool.close()));
  }
  return lanes.map(({ costsMs }) => median(costsMs));
}

type Lane = { load: Load; pool: Pool; requests: number };

/** @returns number of requests per round */
async function warmUp(lane: Lane): Promise<number> {
  let spentMs = 0;
  let lastMs = 0;
  while (spentMs < WARM_UP_MS) {
    lastMs = await costMs(lane);
    spentMs += lastMs * lane.requests;
  }
  return Math.max(1, Math.ceil(ROUND_MS / lastMs));
}

/** CPU time of one request, as the mean of `requests` of them. */
async function costMs({ load, pool, requests }: Lane): Promise<number> {
  const before = await load.server.usage();
  await send(pool, load, requests);
  const after = await load.server.usage();
  return (after.cpuMs - before.cpuMs) / requests;
}

/** Sends a load `times` times without measuring it. */
export async function apply(load: Load, times: number): Promise<void> {
  const pool = new Pool(load.server.address, { connections: CONNECTIONS });
  await send(pool, load, times);
  await pool.close();
}

async function send(pool: Pool, load: Load, times: number): Promise<void> {
  const { path, headers = {}, cookies, status } = load;
  const variants = cookies?.map((cookie) => ({ ...headers, cookie })) ?? [headers];
  let left = times;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const chosen = variants[Math.floor(Math.random() * variants.length)] ?? headers;
      const answer = await pool.request({ method: "GET", path, headers: chosen });
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (answer.statusCode !== status) {
        throw new Error(`${path} answered ${answer.statusCode} instead of ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

/**
 * A single response.
 * @returns `body` still in the given `encoding`, and its ETag
 */
export async function fetchOnce({
  server,
  path,
  headers = {},
}: Omit<Load, "cookies" | "status">): Promise<{
  body: Uint8Array<ArrayBuffer>;
  encoding: string;
  etag: string;
}> {
  const pool = new Pool(server.address);
  const answer = await pool.request({ method: "GET", path, headers });
  const body = new Uint8Array(await answer.body.arrayBuffer());
  await pool.close();
  const encoding = String(answer.headers["content-encoding"] ?? "identity");
  return { body, encoding, etag: String(answer.headers["etag"] ?? "") };
}
