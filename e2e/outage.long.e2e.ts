import { mkdtempSync, rmSync } from "node:fs";
import { createServer, connect, type Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, test, type APIRequestContext } from "@playwright/test";
import pino from "pino";
import { isWallPage, PAGES } from "@/lib/server/http/pages.mjs";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { connectedTo, signInByRequest, startApp } from "./app";
import { startMisbehavingUpstream } from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

/** A page of each address; `main` is the company. */
const addresses = PAGES.map((page) =>
  page.replace("[company]", "main").replaceAll(/\[[\w.]+\]/g, "1"),
);
const walls = addresses.filter(isWallPage);
const OURS = "Plumbline can’t reach its database";

/** Pairs a display, using its request context. @param admin request context of an administrator */
async function pair(screen: APIRequestContext, admin: APIRequestContext, address: string) {
  const headers = { origin: address };
  const pairing = await screen.post(`${address}/api/pair`, { headers, data: {} });
  const { code } = (await pairing.json()) as { code: string };
  const paired = await admin.post(`${address}/api/displays`, {
    headers,
    data: {
      name: "Lobby",
      place: "",
      companies: null,
      layout: "auto",
      theme: "dark",
      time_zone: "Europe/Copenhagen",
      expires_at: null,
      code,
      replaces: null,
    },
  });
  expect(paired.ok()).toBe(true);
  await screen.get(`${address}/api/pair`);
  expect((await screen.get(`${address}/wall`)).status()).toBe(200);
}

test("explains a database outage with 503 on every page if the session isn't cached, and recovers without a click", async ({
  page,
  browser,
}) => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-e2e-outage-"));
  const upstream = await startMisbehavingUpstream({ rows: sampleRows(3, Date.now()) });
  const embedded = await startEmbeddedPostgres({ dataDir, log: pino({ level: "silent" }) });
  const socket = new URL(embedded.connectionString).searchParams.get("host") ?? "";
  // A proxy to the database that can be cut.
  const open = new Set<Socket>();
  const way = createServer((client) => {
    const database = connect(path.join(socket, ".s.PGSQL.5432"));
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(from);
      from.on("error", () => {});
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  const { port } = way.address() as AddressInfo;
  const env = {
    ...connectedTo(upstream),
    AUTH_SECRET: "a secret of the test, long enough",
    DATABASE_URL: `postgres://plumbline:${new URL(embedded.connectionString).password}@127.0.0.1:${port}/postgres`,
    DATA_DIR: dataDir,
  };
  const first = await startApp(env);
  await signInByRequest(page.request, first);
  const television = await browser.newContext();
  await pair(television.request, page.request, first.address);
  expect(await first.end()).toBe(0);
  // Another process, with an empty cache.
  const app = await startApp({ ...env, PORT: new URL(first.address).port });
  try {
    way.close();
    for (const one of open) one.destroy();
    for (const address of walls) {
      const answer = await television.request.get(`${app.address}${address}`, { maxRedirects: 0 });
      expect(answer.status(), address).toBe(503);
      expect(await answer.text(), address).toContain(OURS);
      expect(answer.headers()["content-security-policy"], address).toMatch(
        /frame-ancestors 'self'$/,
      );
    }
    const seen: Record<string, number> = {};
    for (const address of [...addresses, "/s/x", "/s/abcdefghijklmnop"]) {
      const answer = await page.request.get(`${app.address}${address}`);
      const text = await answer.text();
      seen[address] = answer.status();
      expect(text, address).not.toMatch(/Check your connection|E[A-Z]{4,}:|ECONNREFUSED/);
      expect([200, 404, 503], address).toContain(answer.status());
      if (answer.status() !== 503) continue;
      expect(text, address).toContain(OURS);
      expect(answer.headers()["retry-after"], address).toBe("5");
    }
    // Pairing renders without the database; a token without a valid signature belongs to no link,
    // and no password link is that short.
    const answered = Object.keys(seen).filter((address) => seen[address] !== 503);
    expect(answered.toSorted()).toEqual([
      "/pair",
      "/s/abcdefghijklmnop",
      "/s/x",
      "/signin/password/1",
    ]);
    for (const address of ["/api/me", "/api/companies", "/api/companies/main/sync-status"]) {
      const answer = await page.request.get(`${app.address}${address}`);
      expect(answer.status(), address).toBe(503);
      expect(answer.headers()["retry-after"], address).toBe("5");
      expect(await answer.json(), address).toMatchObject({ error: "unavailable" });
    }

    const wall = await television.newPage();
    await wall.goto(`${app.address}/wall`);
    await page.goto(`${app.address}/main`);
    for (const one of [wall, page]) {
      await expect(one.getByRole("heading", { name: OURS })).toBeVisible();
    }
    way.listen(port, "127.0.0.1");
    await expect(page.getByRole("heading", { name: OURS })).toBeHidden();
    await expect(page).toHaveURL(`${app.address}/main`);
    await expect(page.getByRole("navigation").first()).toBeVisible();
    await expect(wall.locator("[data-wall-display]")).toHaveAttribute("data-wall-state", "live");
    expect(new URL(wall.url()).pathname).toBe("/wall");
  } finally {
    await television.close();
    await app.end();
    way.close();
    await embedded.stop();
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
