import pino from "pino";
import { expect } from "vitest";
import { createSecurityLog } from "@/lib/server/security-log";
import { createLog } from "@/lib/server/log";
import { startPairing } from "@/lib/server/operations/displays/start-pairing";
import { getReadiness } from "@/lib/server/operations/health/get-health";
import { getWall } from "@/lib/server/operations/displays/get-wall";
import { stepPairing } from "@/lib/server/operations/displays/step-pairing";
import { TEST_AUDIT } from "@/lib/server/store/audit/audit-fixture";
import { openDatabase } from "@/lib/server/store/connect";
import { createAuth } from "@/lib/server/auth/auth";
import { createBrowser, SESSION_MS } from "./app-fixture";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { createHandler, nextHandler } from "./route";
import { displayTest, type DisplayApp } from "./display-fixture";

const MINUTES = 2;
const REQUESTS_A_SECOND = 30;
const MAX_BYTES_PER_MINUTE = 100_000;

const test = displayTest();

/** A second Plumbline on the same database, whose log is inspected. */
async function anotherPlumbline(app: DisplayApp) {
  const { clock, runtime: first } = app;
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const securityLog = createSecurityLog({ clock, log });
  const database = await openDatabase(app.database.connectionString, {
    log: pino({ level: "silent" }),
    audit: TEST_AUDIT,
  });
  const { databaseNowMs } = app;
  const ours = { ...first, database, clock, log, securityLog, databaseNowMs };
  const auth = createAuth({ ...ours, sessionMs: SESSION_MS, isWallFramed: false });
  return {
    runtime: { ...first, log, securityLog, database, auth, clock },
    /** Lines logged since the last call. */
    logged: () => lines.splice(0).join(""),
  };
}

test("logs less than 100 kB a minute during an outage, however many requests there are", async ({
  app,
}) => {
  const { runtime, logged } = await anotherPlumbline(app);
  const { clock, database } = runtime;
  const known = createBrowser(runtime);
  await known.signIn("ana@example.com");
  const screen = createBrowser(runtime);
  await app.pair(screen);
  const view = nextHandler(
    createHandler(
      () => runtime,
      { right: "view" },
      async () => {
        await database.orm.execute("select 'a personal value'");
        return new Response();
      },
    ),
  );
  const remove = nextHandler(
    createHandler(
      () => runtime,
      { right: "delete-files", mutation: true },
      () => new Response(),
    ),
  );
  const wall = nextHandler(
    createHandler(
      () => runtime,
      { principal: "display" },
      ({ principal }) => getWall(runtime, principal),
    ),
  );
  const params = { company: "northgate" };
  const at = "/api/companies/northgate/things?q=secret-search";
  await known.send(view, at, { params });
  await screen.send(wall, "/api/wall");
  logged();

  await database.close();
  await clock.advance(RECHECK_MS);
  const stranger = createBrowser(runtime);
  stranger.jar.set("plumbline-display", "an-unknown-credential");
  const kinds: (() => Promise<Response>)[] = [
    () => known.send(view, at, { params }),
    () => known.send(remove, at, { params, body: {} }),
    () => screen.send(wall, "/api/wall"),
    () => stranger.send(wall, "/api/wall"),
    () => stranger.signIn("maya@example.com", "typed-password"),
    () => known.auth("session"),
    () =>
      startPairing(runtime, { address: "192.0.2.3" }).catch(
        () => new Response(null, { status: 503 }),
      ),
    () => stepPairing(runtime, new Request("http://localhost:3000/pair/step")),
    () => getReadiness({ ...runtime, recording: { stopped: () => null } }),
  ];
  const texts: string[] = [];
  for (let minute = 0; minute < MINUTES; minute++) {
    const statuses = new Set<number>();
    for (let i = 0; i < 60 * REQUESTS_A_SECOND; i++) {
      const ask = kinds[i % kinds.length];
      const answer = await ask?.();
      statuses.add(answer?.status ?? 0);
      await clock.advance(1_000 / REQUESTS_A_SECOND);
    }
    expect(statuses).toContain(503);
    texts.push(logged());
  }
  for (const text of texts) expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES_PER_MINUTE);
  const [first = "", ...later] = texts;
  expect(first).toContain('"event":"sessions_unchecked"');
  expect(first).toContain('"event":"request_unanswered"');
  expect(first).toContain("pool after calling end");
  // After that only counts are logged.
  for (const text of later) expect(Buffer.byteLength(text)).toBeLessThan(5_000);
  expect(texts.join("")).not.toMatch(
    /typed-password|maya@|secret-search|northgate|unknown-credential/,
  );
});

test("logs every id that a response had", async ({ app }) => {
  const { runtime, logged } = await anotherPlumbline(app);
  const browser = createBrowser(runtime);
  await browser.signIn("ana@example.com");
  const failing = nextHandler(
    createHandler(
      () => runtime,
      { right: "view" },
      ({ query }) => {
        const code = query.get("code");
        throw Object.assign(new Error(`it broke ${code}`), { code });
      },
    ),
  );
  const ids = new Set<string | null>();
  for (let i = 0; i < 100; i++) {
    const path = `/api/companies/northgate/x?code=E${i % 20}`;
    const answer = await browser.send(failing, path, { params: { company: "northgate" } });
    expect(answer.status).toBe(500);
    ids.add(answer.headers.get("x-request-id"));
  }
  runtime.securityLog.flush();
  const text = logged();
  for (const id of ids) expect(text).toContain(`"id":"${id}"`);
  await runtime.database.close();
});
