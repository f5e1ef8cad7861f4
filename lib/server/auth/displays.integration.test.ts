import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { toWebResponse } from "@/lib/server/http/handler-response";
import * as displayRoute from "@/app/api/displays/[id]/route";
import * as revokeRoute from "@/app/api/displays/[id]/revoke/route";
import * as wallRoute from "@/app/api/wall/route";
import * as syncStatusRoute from "@/app/api/wall/companies/[company]/sync-status/route";
import * as reportRoute from "@/app/api/wall/report/route";
import type { WallView } from "@/lib/contracts/wall";
import { createBrowser, withParams } from "@/lib/server/gate/app-fixture";
import { principalAt } from "@/lib/server/gate/principal";
import { routesAt } from "@/lib/server/gate/routes-fixture";
import { respondToUnrouted } from "@/lib/server/gate/unrouted";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { METHODS } from "@/lib/server/http/routes/methods.mjs";
import { RECHECK_MS } from "./revalidating-cache";
import { displayCookies } from "./cookies";
import { displayTest, SETTINGS, type DisplayApp } from "@/lib/server/gate/display-fixture";
import { GRACE_MS, REISSUE_MS, ROTATE_MS } from "./displays";
import { readDisplays } from "@/lib/server/store/displays/displays";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { endPause } from "@/lib/server/store/pauses/pauses";
import { secretHash } from "./secret";
import { DAY_MS } from "@/lib/domain/time/units";
import { zoneName } from "@/lib/domain/time/zone-name";
import { clockTime } from "@/lib/domain/words/format";

type Browser = ReturnType<typeof createBrowser>;

/** A request to `/api/wall` by a method that it doesn't take. */
const otherMethod = async (app: DisplayApp, browser: Browser, method: "POST" | "DELETE") =>
  toWebResponse(
    await respondToUnrouted(app.runtime, browser.request("/api/wall", { method }), {
      params: {},
      methods: ["GET", "HEAD"],
      isNearRoutes: true,
    }),
  );

const test = displayTest();
let screen: Browser;
let id: string;
test.beforeEach(async ({ app }) => {
  // Some tests advance the clock by months, which ends the session.
  await app.admin.signIn("ana@example.com");
  screen = app.screen();
  ({ id } = await app.pair(screen));
});

const COOKIE = "plumbline-display";
const askWall = (browser: Browser) => browser.send(wallRoute.GET, "/api/wall");
const askRows = (browser: Browser, company: string) =>
  browser.send(syncStatusRoute.GET, `/api/wall/companies/${company}/sync-status`, {
    params: { company },
  });
const revoke = (app: DisplayApp, which: string) =>
  app.admin.send(revokeRoute.POST, `/api/displays/${which}/revoke`, {
    body: {},
    params: { id: which },
  });
const REPORT = {
  build: "build-1",
  painted_at_ms: null,
  snapshot_age_seconds: null,
  loaded_at_ms: null,
};

async function status(answer: Promise<Response>): Promise<number> {
  return (await answer).status;
}

/** A browser with a copy of the current cookies. */
function copyOf(app: DisplayApp, browser: Browser): Browser {
  const copy = createBrowser(app.runtime);
  for (const [name, value] of browser.jar) copy.jar.set(name, value);
  return copy;
}

async function whileAway(app: DisplayApp, work: () => Promise<void>) {
  await app.whileAway("displays", work);
  // Queries pause for a second after a failure.
  await app.clock.advance(1_000);
}

describe("a paired display", () => {
  test("reads its settings and rows", async () => {
    const answer = await askWall(screen);
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(await answer.json()).toEqual({
      display: {
        id,
        name: "Room 3",
        place: "Second floor",
        layout: "auto",
        theme: "dark",
        time_zone: "Europe/Copenhagen",
        expires_at: null,
      },
      companies: [{ slug: "northgate", name: "Northgate Builders" }],
      build: "build-1",
      reload_requested_at: null,
    });
    const rows = await askRows(screen, "northgate");
    expect(rows.headers.get("cache-control")).toBe("private, no-cache");
    expect(rows.headers.get("etag")).toMatch(/^W\//);
    expect(await rows.json()).toMatchObject({ as_of: null, rows: [] });
  });

  test("gets the same response for a company that it doesn't show as for a missing one", async () => {
    const [others, missing] = await Promise.all([
      askRows(screen, "harbour"),
      askRows(screen, "nowhere"),
    ]);
    expect(others.status).toBe(404);
    expect(await others.text()).toBe(await missing.text());
    expect([...others.headers]).toEqual([...missing.headers]);
  });

  test("includes companies added later when it shows all companies", async ({ app }) => {
    await app.admin.send(displayRoute.PATCH, `/api/displays/${id}`, {
      method: "PATCH",
      body: { ...SETTINGS, companies: null },
      params: { id },
    });
    await app.clock.advance(RECHECK_MS);
    const view = (await (await askWall(screen)).json()) as WallView;
    expect(view.companies.map(({ slug }) => slug)).toEqual(["northgate", "harbour"]);
  });

  test("has only the hash of its credential stored", async ({ app }) => {
    const secret = screen.jar.get(COOKIE) ?? "";
    const { rows } = await app.database.pool.query<{ row: string }>(
      "select displays::text as row from displays union all select pairings::text from pairings",
    );
    const stored = rows.map(({ row }) => row).join("\n");
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(stored).toContain(secretHash(secret));
    expect(stored).not.toContain(secret);
  });

  test("has access to no endpoints besides those for displays", async ({ app }) => {
    const addresses = Object.entries(scanRoutes(process.cwd())).filter(
      ([address]) => principalAt(address) === "person",
    );
    expect(addresses.length).toBeGreaterThan(20);
    const stranger = app.screen();
    const params = { company: "northgate", id, display: id };
    for (const [address, methods] of addresses) {
      const routes = await routesAt(address);
      for (const method of METHODS) {
        const unrouted = { params, methods, isNearRoutes: true };
        const handler = routes[method === "HEAD" ? "GET" : method];
        const ask = async (browser: Browser) => {
          const request = browser.request(address, { method });
          return handler === undefined
            ? toWebResponse(await respondToUnrouted(app.runtime, request, unrouted))
            : handler(request, withParams(params));
        };
        const [paired, unknown] = await Promise.all([ask(screen), ask(stranger)]);
        expect([address, method, paired.status]).toEqual([address, method, 401]);
        expect(await paired.text()).toBe(await unknown.text());
      }
    }
  });

  test("can write only its report, as JSON with our own origin", async ({ app }) => {
    expect(await status(screen.send(reportRoute.POST, "/api/wall/report", { body: REPORT }))).toBe(
      204,
    );
    expect((await otherMethod(app, screen, "POST")).status).toBe(405);
    const foreign = screen.request("/api/wall/report", {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://evil.example" },
      body: JSON.stringify(REPORT),
    });
    expect((await reportRoute.POST(foreign, withParams())).status).toBe(403);
    const form = screen.request("/api/wall/report", { method: "POST", body: "build=1" });
    expect((await reportRoute.POST(form, withParams())).status).toBe(415);
  });
});

describe("the end of a pairing", () => {
  test("takes effect within ten seconds of revocation in every process, and names who revoked it", async ({
    app,
  }) => {
    expect(await status(askWall(screen))).toBe(200);
    app.switchInstance();
    expect(await status(askWall(screen))).toBe(200);
    await revoke(app, id);
    await app.clock.advance(RECHECK_MS);
    expect(RECHECK_MS).toBeLessThan(10_000);
    const answers = await Promise.all([askWall(screen), askRows(screen, "northgate")]);
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      const body = (await answer.json()) as { error: string; error_description: string };
      expect(body.error).toBe("forbidden");
      expect(body.error_description).toMatch(
        /^This display was unpaired by ana@example\.com on \d+ \w+ \d{4} at \d\d:\d\d \w+\.$/,
      );
    }
    expect(await status(screen.send(reportRoute.POST, "/api/wall/report", { body: REPORT }))).toBe(
      403,
    );
  });

  test("is only temporary while displays are paused after a restore, with the reason in the response", async ({
    app,
  }) => {
    await pauseByRestore(app.database, "displays", app.clock.nowMs());
    await app.clock.advance(RECHECK_MS);
    for (const answer of [await askWall(screen), await askRows(screen, "northgate")]) {
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({
        error: "paused",
        error_description: expect.stringMatching(
          /^Plumbline was restored from a backup\. An administrator can resume displays/,
        ) as string,
      });
    }
    expect(await status(screen.send(reportRoute.POST, "/api/wall/report", { body: REPORT }))).toBe(
      503,
    );
    await endPause(app.database, "displays", {
      person: { id: randomUUID(), name: "Ada", email: "ada@example.com" },
      requestId: "r",
      nowMs: app.clock.nowMs(),
      companies: ["northgate"],
    });
    await app.clock.advance(RECHECK_MS);
    expect(await status(askWall(screen))).toBe(200);
  });

  test("isn't revealed to unknown credentials", async ({ app }) => {
    await revoke(app, id);
    await app.clock.advance(RECHECK_MS);
    const stranger = app.screen();
    stranger.jar.set(COOKIE, "made up");
    expect(await status(askWall(stranger))).toBe(401);
  });

  test("follows from expiry, shown in the display's time zone", async ({ app }) => {
    const endsMs = app.clock.nowMs() + 3_600_000;
    const other = app.screen();
    await app.pair(other, { expires_at: new Date(endsMs).toISOString() });
    expect(await status(askWall(other))).toBe(200);
    await app.clock.advance(3_600_000);
    const answer = await askWall(other);
    expect(answer.status).toBe(403);
    const timeZone = "Europe/Copenhagen";
    const when = `${clockTime(endsMs, timeZone)} ${zoneName(endsMs, timeZone)}`;
    expect(await answer.text()).toContain("pairing ended on");
    expect(await (await askWall(other)).text()).toContain(`at ${when}.`);
  });

  test("applies even if a person is signed in on the display", async ({ app }) => {
    await screen.signIn("ana@example.com");
    expect(await status(askWall(screen))).toBe(200);
    await revoke(app, id);
    await app.clock.advance(RECHECK_MS);
    expect(await status(askWall(screen))).toBe(403);
  });

  test("is reverted by pairing the display again", async ({ app }) => {
    await revoke(app, id);
    const next = app.screen();
    const again = await app.pair(next, { replaces: id });
    expect(again).toMatchObject({ id, revoked_at: null });
    expect(await status(askWall(next))).toBe(200);
    await app.clock.advance(RECHECK_MS);
    expect(await status(askWall(screen))).toBe(401);
  });
});

describe("a display's credential", () => {
  test("rotates once a day, and stays valid for an hour after the first use of the new one", async ({
    app,
  }) => {
    const old = copyOf(app, screen);
    await askWall(screen);
    expect(screen.jar.get(COOKIE)).toBe(old.jar.get(COOKIE));
    await app.clock.advance(ROTATE_MS);
    await askWall(screen);
    expect(screen.jar.get(COOKIE)).not.toBe(old.jar.get(COOKIE));

    expect(await status(askWall(screen))).toBe(200);
    await app.clock.advance(GRACE_MS - 1);
    expect(await status(askRows(old, "northgate"))).toBe(200);
    await app.clock.advance(RECHECK_MS);
    expect(await status(askRows(old, "northgate"))).toBe(401);
    expect(await status(askWall(screen))).toBe(200);
  });

  test("stays valid for weeks if new ones are lost in transit, and is replaced again", async ({
    app,
  }) => {
    const deaf = copyOf(app, screen);
    await app.clock.advance(ROTATE_MS);
    // Responses to these requests never arrive.
    await askWall(copyOf(app, deaf));
    await app.clock.advance(REISSUE_MS);
    await askWall(copyOf(app, deaf));
    await app.clock.advance(21 * ROTATE_MS);
    expect(await status(askRows(deaf, "northgate"))).toBe(200);
    await askWall(deaf);
    expect(deaf.jar.get(COOKIE)).not.toBe(screen.jar.get(COOKIE));
    expect(await status(askWall(deaf))).toBe(200);
  });

  test("doesn't rotate again while a response with a new one may be in transit", async ({
    app,
  }) => {
    await app.clock.advance(ROTATE_MS);
    const tabs = [copyOf(app, screen), copyOf(app, screen), copyOf(app, screen)];
    await Promise.all(tabs.map(askWall));
    await Promise.all(tabs.map(askWall));
    const changed = tabs.filter((tab) => tab.jar.get(COOKIE) !== screen.jar.get(COOKIE));
    expect(changed).toHaveLength(1);
    for (const tab of tabs) expect(await status(askWall(tab))).toBe(200);
  });

  test("works after the display was off for months", async ({ app }) => {
    await askWall(screen);
    await app.clock.advance(300 * ROTATE_MS);
    expect(await status(askWall(screen))).toBe(200);
  });

  test("is an HttpOnly cookie with the longest lifetime browsers allow", () => {
    const { display, pairing } = displayCookies("https://plumbline.example", false);
    expect(display.set("x")).toBe(
      "__Host-plumbline-display=x; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure",
    );
    expect(pairing.clear()).toBe(
      "__Host-plumbline-pairing=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
    );
    expect(displayCookies("http://localhost:3000", true).display.set("x")).toBe(
      "plumbline-display=x; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax",
    );
    expect(displayCookies("https://plumbline.example", true).display.set("x")).toContain(
      "SameSite=None; Secure",
    );
  });
});

describe("a temporarily wrong clock", () => {
  test("ends no pairing, and leaves no last-seen time in the future", async ({ app }) => {
    const other = app.screen();
    const endsMs = app.clock.nowMs() + 3_600_000;
    const { id: otherId } = await app.pair(other, {
      expires_at: new Date(endsMs).toISOString(),
    });
    await askWall(other);
    for (const jump of [app.jumpOurs, (ms: number) => app.clock.jump(ms)]) {
      jump(DAY_MS);
      await app.clock.advance(RECHECK_MS);
      expect(await status(askWall(other))).toBe(200);
      jump(-DAY_MS);
      await app.clock.advance(RECHECK_MS);
      expect(await status(askWall(other))).toBe(200);
      const row = (await readDisplays(app.database)).find(({ id: of }) => of === otherId);
      expect(row?.lastSeenAt?.getTime()).toBeLessThanOrEqual(app.clock.nowMs());
    }
  });

  test("doesn't prevent rotation of the credential", async ({ app }) => {
    app.clock.jump(300 * DAY_MS);
    await askWall(screen);
    await app.clock.advance(RECHECK_MS);
    await askWall(screen);
    const ahead = screen.jar.get(COOKIE);
    app.clock.jump(-300 * DAY_MS);
    await app.clock.advance(RECHECK_MS);
    await askWall(screen);
    expect(screen.jar.get(COOKIE)).not.toBe(ahead);
  });
});

describe("while the database is unreachable", () => {
  test("lets recently verified displays read, but not write", async ({ app }) => {
    expect(await status(askWall(screen))).toBe(200);
    await app.clock.advance(RECHECK_MS);
    await whileAway(app, async () => {
      expect(await status(askWall(screen))).toBe(200);
      expect(await status(askRows(screen, "northgate"))).toBe(200);
      expect(
        await status(screen.send(reportRoute.POST, "/api/wall/report", { body: REPORT })),
      ).toBe(503);
    });
  });

  test("returns 503 for unknown credentials, not a request to pair again", async ({ app }) => {
    const unknown = app.screen();
    unknown.jar.set(COOKIE, "never seen before");
    await whileAway(app, async () => {
      expect(await status(askWall(unknown))).toBe(503);
    });
  });

  test("keeps rejecting a display revoked before the outage", async ({ app }) => {
    await revoke(app, id);
    expect(await status(askWall(screen))).toBe(403);
    await app.clock.advance(RECHECK_MS);
    await whileAway(app, async () => {
      expect(await status(askWall(screen))).toBe(403);
    });
  });
});

describe("a person viewing the wall", () => {
  test("gets the companies they may view, and can't report as a display", async ({ app }) => {
    await app.addPerson(`viewer-${id}@example.com`, "viewer", ["harbour"]);
    const viewer = createBrowser(app.runtime);
    await viewer.signIn(`viewer-${id}@example.com`);
    expect(await (await askWall(viewer)).json()).toMatchObject({
      display: null,
      companies: [{ slug: "harbour", name: "Harbour" }],
    });
    expect(await status(askRows(viewer, "northgate"))).toBe(404);
    expect(await status(viewer.send(reportRoute.POST, "/api/wall/report", { body: REPORT }))).toBe(
      403,
    );
  });

  test("gets 401 for every address and method if not signed in", async ({ app }) => {
    const stranger = app.screen();
    const answers = await Promise.all([
      askWall(stranger),
      askRows(stranger, "northgate"),
      askRows(stranger, "nowhere"),
      stranger.send(reportRoute.POST, "/api/wall/report", { body: {} }),
      otherMethod(app, stranger, "DELETE"),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  });
});
