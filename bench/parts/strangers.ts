import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { encode } from "next-auth/jwt";
import { CompactEncrypt } from "jose";
import { Pool } from "undici";
import { startPlumbline, type Plumbline } from "@/bench/plumbline";
import { ROOT } from "@/bench/measured-server";
import type { Row } from "@/bench/table";
import { cpuMsPerRequest } from "@/bench/load";

/** Requests of one kind, with few in parallel while CPU is measured. */
const TIMES = 60;
/** For rendered pages, because each address has a limit. */
const TIMES_DRAWN = 30;
const PIPELINED = 400;
/** The promised maximum for any unauthenticated request, and for pages rendered for it. */
const MAX_MS = 2;
const MAX_RENDERED_MS = 20;

type Attack = { name: string; path: string; headers?: Record<string, string>; isDrawn?: true };

/** Cost of unauthenticated requests, including hostile ones. */
export async function strangers(): Promise<Row[]> {
  const app = await startPlumbline({
    sizes: [60],
    pollSeconds: 3600,
    env: { V3_SERVICE: "on", V3_RATE_LIMIT_PER_MINUTE: "1000000", TRUST_PROXY: "1" },
  });
  try {
    const live = { server: app, path: "/api/health/live", status: 200 };
    const [floor = 0] = await cpuMsPerRequest([live]);
    const rows: Row[] = [];
    for (const attack of [...(await attacks()), await dearestByte(app)]) {
      const { cpuMs, waitMs, statuses } = await measured(app, attack);
      process.stderr.write(
        `${attack.name}: ${cpuMs.toFixed(2)} ms each, health waits ${waitMs.toFixed(0)} ms; ${statuses}\n`,
      );
      rows.push({
        what: `${attack.name}: CPU a request`,
        against: "/api/health/live",
        floor,
        ours: cpuMs,
        unit: "ms",
        goal: { of: "value", most: attack.isDrawn === true ? MAX_RENDERED_MS : MAX_MS },
      });
    }
    const waitMs = await waitBeside(app, () => pipeline(app, "/c60"));
    process.stderr.write(`pipelined: health waits ${waitMs.toFixed(0)} ms\n`);
    rows.push({
      what: `longest wait of /api/health/live beside ${PIPELINED} pipelined requests`,
      against: "alone",
      floor: await waitBeside(app, async () => {}),
      ours: waitMs,
      unit: "ms",
      goal: { of: "value", most: 200 },
    });
    return rows;
  } finally {
    await app.stop();
  }
}

async function attacks(): Promise<Attack[]> {
  const blanks = " ".repeat(15_000);
  const cookie = "next-auth.session-token";
  return [
    {
      name: "15,000 blanks in Accept-Encoding",
      path: await compressedFile(),
      headers: { "accept-encoding": `a${blanks}a` },
    },
    {
      name: "a cookie that asks for PBES2",
      path: "/api/companies",
      headers: { cookie: `${cookie}=${await pbes2()}` },
    },
    {
      name: "a cookie that asks for PBES2, at next-auth",
      path: "/api/auth/session",
      headers: { cookie: `${cookie}=${await pbes2()}` },
    },
    {
      name: "a cookie sealed with another secret",
      path: "/api/companies",
      headers: {
        cookie: `${cookie}=${await encode({ token: { sid: "x" }, secret: "another secret" })}`,
      },
    },
    { name: "15 kB of cookies", path: "/api/companies", headers: { cookie: "a=b;".repeat(3_800) } },
    {
      name: "15 kB of percent signs in a cookie",
      path: "/api/companies",
      headers: { cookie: `${cookie}=${"%41".repeat(5_000)}` },
    },
    {
      name: "15 kB of commas in If-None-Match",
      path: "/wall.css",
      headers: { "if-none-match": ",".repeat(15_000) },
    },
    {
      name: "1,000 headers",
      path: "/api/companies",
      headers: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`x-${at}`, "y"])),
    },
    { name: "15 kB of slashes in the path", path: `/api/${"/".repeat(15_000)}x` },
    { name: "15 kB of percent signs in the path", path: `/api/${"%".repeat(15_000)}` },
    { name: "15 kB of query", path: `/api/companies?${"a=b&".repeat(3_700)}` },
    { name: "a page without a session", path: "/c60" },
    { name: "a page without a session, as the router asks", path: "/c60", headers: { rsc: "1" } },
    {
      name: "a page with a forged session",
      path: "/c60",
      headers: { cookie: `${cookie}=${"x".repeat(300)}` },
    },
    { name: "a wall that is not paired", path: "/wall" },
    {
      name: "garbled router state",
      path: "/signin",
      headers: { rsc: "1", "next-router-state-tree": "%7B" },
    },
    { name: "a share link that is forged", path: `/s/${"A".repeat(64)}` },
    { name: "the v3 API without a token", path: "/api/v3/sync_status" },
    {
      name: "the v3 API with a token that is none",
      path: "/api/v3/sync_status",
      headers: { authorization: "Bearer a.b.c" },
    },
    {
      name: "the v3 API with a long token that is none",
      path: "/api/v3/sync_status",
      headers: { authorization: `Bearer ${"a".repeat(15_000)}` },
    },
    { name: "the sign-in page", path: "/signin", headers: from(1), isDrawn: true },
    { name: "the pairing page", path: "/pair?step=done", headers: from(2), isDrawn: true },
    {
      name: "a password link that is none",
      path: `/signin/password/${"A".repeat(43)}`,
      headers: from(3),
      isDrawn: true,
    },
  ];
}

/** A different client address for each rendered page. */
const from = (host: number) => ({ "x-forwarded-for": `192.0.2.${host}` });

/** Headers that are parsed for a page's request, and for a handler's. */
const READ = [
  ["/pair/step", "accept-encoding"],
  ["/pair/step", "cookie"],
  ["/api/companies", "cookie"],
  ["/api/auth/session", "cookie"],
  ["/c60", "user-agent"],
  ["/c60", "next-router-state-tree"],
  ["/wall.css", "if-none-match"],
  ["/api/v3/sync_status", "authorization"],
  ["/metrics", "x-forwarded-for"],
] as const;

/** The most expensive byte to fill a header with, over all bytes and headers. */
async function dearestByte(app: Plumbline): Promise<Attack> {
  let worst: { attack: Attack; cpuMs: number } | null = null;
  for (const [path, header] of READ) {
    for (let byte = 0x20; byte < 0x7f; byte += 1) {
      const value = `a${String.fromCharCode(byte).repeat(15_000)}a`;
      const name = `15,000 times ${JSON.stringify(String.fromCharCode(byte))} in ${header} of ${path}`;
      const attack = { name, path, headers: { [header]: value } };
      const before = await app.usage();
      await send(app, attack, 5, 1, new Map());
      const cpuMs = (await app.usage()).cpuMs - before.cpuMs;
      if (worst === null || cpuMs > worst.cpuMs) worst = { attack, cpuMs };
    }
  }
  if (worst === null) throw new Error("nothing was sent");
  return worst.attack;
}

/** A file that is sent compressed to clients that accept it. */
async function compressedFile(): Promise<string> {
  const files = await readdir(join(ROOT, ".next/static"), { recursive: true });
  return `/_next/static/${files.find((file) => file.endsWith(".js.br"))?.slice(0, -3) ?? ""}`;
}

/** A session token in our format whose key takes 10,000 rounds to derive. */
async function pbes2(): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode("{}"))
    .setProtectedHeader({ alg: "PBES2-HS256+A128KW", enc: "A256GCM" })
    .setKeyManagementParameters({ p2c: 10_000, p2s: new Uint8Array(16) })
    .encrypt(new Uint8Array(32));
}

async function measured(app: Plumbline, attack: Attack) {
  const statuses = new Map<number, number>();
  const times = attack.isDrawn === true ? TIMES_DRAWN : TIMES;
  await send(app, attack, times, 4, new Map());
  const before = await app.usage();
  await send(app, attack, times, 4, statuses);
  const after = await app.usage();
  const waitMs = await waitBeside(app, () => send(app, attack, times, times, statuses));
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / times,
    waitMs,
    statuses: [...statuses].map(([status, count]) => `${count} times ${status}`).join(", "),
  };
}

async function send(
  app: Plumbline,
  { path, headers = {} }: Attack,
  times: number,
  connections: number,
  statuses: Map<number, number>,
): Promise<void> {
  const pool = new Pool(app.address, { connections, pipelining: 1 });
  await Promise.all(
    Array.from({ length: times }, async () => {
      const answer = await pool.request({ method: "GET", path, headers }).catch(() => null);
      await answer?.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      const status = answer?.statusCode ?? 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }),
  );
  await pool.close();
}

/** All of it at once on one socket. */
async function pipeline(app: Plumbline, path: string): Promise<void> {
  const { hostname, port, host } = new URL(app.address);
  const socket = connect(Number(port), hostname).on("error", () => {});
  const ask = (more: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
  socket.write(ask("").repeat(PIPELINED - 1) + ask("Connection: close\r\n"));
  await once(socket.resume(), "close");
}

/** The longest wait of a trivial request while other work is done. */
async function waitBeside(app: Plumbline, work: () => Promise<void>): Promise<number> {
  const pool = new Pool(app.address, { connections: 1 });
  const load = { isOver: false };
  let longestMs = 0;
  const asking = (async () => {
    do {
      const startedMs = performance.now();
      const answer = await pool.request({ method: "GET", path: "/api/health/live" });
      await answer.body.dump();
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    } while (!load.isOver);
  })();
  await work();
  load.isOver = true;
  await asking;
  await pool.close();
  return longestMs;
}
