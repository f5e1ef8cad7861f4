import { describe, expect } from "vitest";
import type { LinksView, MadeLink } from "@/lib/contracts/links";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import * as pictureRoute from "@/app/api/previews/[preview]/[name]/route";
import * as sharedPageRoute from "@/app/s/[token]/route";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { shareLinks } from "@/lib/server/store/schema/share-links";
import { forgetCompany } from "@/lib/server/store/sync/forget-company";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { withParams } from "@/lib/server/gate/app-fixture";

const SLACKBOT = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";
/** Strings that no page of a link to Procore's incident at Northgate may contain. */
const CANARIES = [
  "canary",
  "Harbour",
  "harbour",
  "ep-",
  "@example.com",
  "on it",
  "bo\\b",
  "vera",
  "Customer board",
];

const test = incidentsTest();

const procore = (
  logs: Found["verdict"],
  rfis: Found["verdict"],
  overdue: number = 70,
): readonly Found[] => [
  { id: "ep-1", partner: "Procore", key: "daily_logs", verdict: logs, overdue },
  { id: "ep-2", partner: "Procore", key: "rfis<b>", verdict: rfis, overdue: 20 },
  // Of the same partner, and not part of an incident.
  { id: "ep-3", partner: "Procore", key: "canary_fresh", verdict: "fresh" },
  { id: "ep-4", partner: "canary-partner", key: "canary_endpoint", verdict: "stale" },
];
const check = (app: IncidentsApp, ...found: Parameters<typeof procore>) =>
  app.check("northgate", procore(...found));

test.beforeEach(async ({ app }) => {
  // The morning after next: no test crosses midnight, where sentences would name the day.
  const sinceMidnightMs = app.clock.nowMs() % DAY_MS;
  await app.clock.advance(2 * DAY_MS + 9 * HOUR_MS - sinceMidnightMs);
  await app.begin();
  await app.database.orm.delete(shareLinks);
  await check(app, "stale", "fresh");
});

/** Number of Procore's latest incident. */
async function procores(app: IncidentsApp): Promise<number> {
  const path = "/companies/northgate/incidents?partner=Procore";
  const { data } = (await (await app.ask("ana", "GET", path)).json()) as {
    data: { id: number }[];
  };
  return data[0]?.id ?? 0;
}

const make = (
  app: IncidentsApp,
  body: Record<string, unknown>,
  as: "ana" | "vera" | "hal" = "ana",
) => app.ask(as, "POST", "/companies/northgate/links", { shows: "both", days: 7, ...body });

async function made(
  app: IncidentsApp,
  body: Record<string, unknown> = {},
): Promise<MadeLink & { path: string }> {
  const answer = await make(app, { incident: await procores(app), ...body });
  expect(answer.status).toBe(201);
  const link = (await answer.json()) as MadeLink;
  return { ...link, path: new URL(link.url).pathname };
}

/** Sends a request without a session. */
async function open(
  app: IncidentsApp,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = app.people.ana.browser.request(path, { headers });
  request.headers.delete("cookie");
  const [kind, , preview = "", name = ""] = path.split("/").slice(1);
  return kind === "s"
    ? await sharedPageRoute.GET(request, withParams({ token: path.split("/")[2] ?? "" }))
    : await pictureRoute.GET(request, withParams({ preview, name }));
}

async function page(app: IncidentsApp, path: string): Promise<string> {
  const answer = await open(app, path);
  expect(answer.status).toBe(200);
  return answer.text();
}

const leaks = (text: string) => {
  const shown = text
    .replaceAll(/<(?:head|svg)\b.*?<\/(?:head|svg)>/gs, "")
    .replaceAll("<body>", "");
  return CANARIES.filter((canary) => new RegExp(`\\b${canary}`).test(shown));
};
const mainOf = (text: string) => /<main.*<\/main>/s.exec(text)?.[0];

describe("creating a link to an incident", () => {
  test("answers 201, and lists the link with its incident number", async ({ app }) => {
    const id = await procores(app);
    const { id: link } = await made(app, { for: "Customer board" });
    const listed = (await (
      await app.ask("ana", "GET", "/companies/northgate/links")
    ).json()) as LinksView;
    expect(listed.data).toMatchObject([
      { id: link, partner: "Procore", incident: id, for: "Customer board", state: "open" },
    ]);
  });

  test("refuses an unknown incident, and two subjects at once", async ({ app }) => {
    const id = await procores(app);
    for (const [body, status] of [
      [{ incident: 0 }, 400],
      [{ incident: "1" }, 400],
      [{ incident: 1.5 }, 400],
      [{ incident: 2_147_483_648 }, 400],
      [{ incident: null }, 400],
      [{ incident: id, partner: "Procore" }, 400],
      [{}, 400],
      [{ incident: 4_000 }, 404],
    ] as const) {
      expect([body, (await make(app, body)).status]).toEqual([body, status]);
    }
    expect((await make(app, { incident: id }, "vera")).status).toBe(403);
    expect((await make(app, { incident: id }, "hal")).status).toBe(404);
    expect(await app.database.orm.select().from(shareLinks)).toEqual([]);
  });
});

/** Adds an acknowledgement, notes, and every kind of planned quiet time, each with a reason. */
async function workOnIt(app: IncidentsApp): Promise<void> {
  const incident = `/companies/northgate/incidents/${await procores(app)}`;
  await app.ask("bo", "PUT", `${incident}/acknowledgement`, { note: "canary note" });
  await app.ask("bo", "PUT", `${incident}/owner`, { person: app.people.bo.id });
  await app.ask("bo", "POST", `${incident}/notes`, { text: "canary", told_customer: true });
  await app.ask("ada", "PUT", "/companies/northgate/care", { owner: app.people.bo.id });
  const hour = (hours: number) =>
    new Date(app.clock.nowMs() + hours * 60 * MINUTE_MS).toISOString();
  for (const quiet of [
    { endpoint_id: "ep-3", until: hour(2) },
    { partner: "Procore", from: hour(1), until: hour(2) },
    { from: hour(3), until: hour(4) },
  ]) {
    const reason = "canary reason";
    const answer = await app.ask("bo", "POST", "/companies/northgate/expectations", {
      ...quiet,
      reason,
    });
    expect(answer.status).toBe(201);
  }
}

describe("internal notes and names", () => {
  /** Names, notes and reasons, which no part of a response may contain. */
  const SAID = /canary (?:note|reason)|"canary"|bo@example|\bbo\b|ada@|ERP/;
  const saidIn = (text: string) => text.match(SAID);

  test("are in no page or preview of a link to an incident or a partner", async ({ app }) => {
    await workOnIt(app);
    const links = [
      await made(app, { details_in_preview: true }),
      await made(app, { incident: undefined, partner: "Procore", details_in_preview: true }),
    ];
    const texts = async () => Promise.all(links.map(({ path }) => page(app, path)));
    const seen = await texts();
    const previews = links.map(({ path }) => open(app, path, { "user-agent": SLACKBOT }));
    for (const answer of await Promise.all(previews)) seen.push(await answer.text());
    // An active quiet time, and one that has ended the incident.
    await app.clock.advance(61 * MINUTE_MS);
    await check(app, "stale", "fresh");
    seen.push(...(await texts()));
    for (let minute = 0; minute < 12; minute += 1) {
      await app.clock.advance(MINUTE_MS);
      await check(app, "stale", "fresh");
    }
    seen.push(...(await texts()));
    expect(seen.at(-2)).toContain("planned quiet time began; no data received");
    expect(seen.flatMap((text) => saidIn(text) ?? [])).toEqual([]);
  });

  test("are in no response for a wall", async ({ app }) => {
    await workOnIt(app);
    for (const minutes of [0, 61]) {
      await app.clock.advance(minutes * MINUTE_MS);
      await check(app, "stale", "fresh");
      for (const path of ["/wall", "/wall/companies/northgate/sync-status"]) {
        const answer = await app.ask("ana", "GET", path);
        expect(answer.status).toBe(200);
        expect(saidIn(await answer.text())).toBeNull();
      }
    }
  });
});

describe("the page of an incident", () => {
  test("shows its sentence and its endpoints then and now, and no other data or people", async ({
    app,
  }) => {
    await workOnIt(app);
    const { path } = await made(app, { for: "Customer board" });
    await app.clock.advance(MINUTE_MS);
    await check(app, "stale", "failing");
    const text = await page(app, path);
    expect(text).toContain("Procore has needed attention since");
    expect(text).toContain("2 of 3 feeds");
    expect(text).toMatch(/At \d\d:\d\d, Procore had needed attention since .+: 1 of 3 feeds\./);
    expect(text).toContain("daily_logs");
    expect(text).toContain("rfis&lt;b&gt;");
    expect(text).toContain("–");
    expect(text).toContain("Shared by ana,");
    expect(leaks(text)).toEqual([]);
    expect(text).not.toMatch(/<a\b/);
  });

  test.for(["then", "now"] as const)("of %s shows only that", async (shows, { app }) => {
    const { path } = await made(app, { shows });
    const before = mainOf(await page(app, path));
    await app.clock.advance(MINUTE_MS);
    await check(app, "failing", "stale");
    const text = await page(app, path);
    expect(text.includes("Then, ")).toBe(shows === "then");
    expect(text.includes("Now, ")).toBe(shows === "now");
    expect(text.includes("rfis")).toBe(shows === "now");
    expect(text.includes("noscript")).toBe(shows === "now");
    expect(mainOf(text) === before).toBe(shows === "then");
    expect(leaks(text)).toEqual([]);
  });

  test("shows how an ended incident ended, and nothing later", async ({ app }) => {
    const { path } = await made(app);
    const now = await made(app, { shows: "now" });
    const then = await made(app, { shows: "then" });
    const stored = mainOf(await page(app, then.path));
    await app.clock.advance(MINUTE_MS);
    await check(app, "fresh", "fresh");
    const calm = await page(app, path);
    expect(calm).toContain("no feed of this incident is behind now");
    expect(calm).toContain("data received");
    for (let at = 0; at < 12; at += 1) {
      await app.clock.advance(MINUTE_MS);
      await check(app, "fresh", "fresh");
    }
    const texts = [await page(app, path), await page(app, now.path)];
    for (const text of texts) {
      expect(text).toMatch(/Procore needed attention from .+ for .+: recovered at/);
      expect(text).toContain("How it ended");
      expect(text).toContain('<main class="is-then">');
      expect(text).not.toContain("noscript");
      expect(leaks(text)).toEqual([]);
    }
    expect(texts[0]).toContain("Then, ");
    expect(texts[1]).not.toContain("Then, ");
    expect(mainOf(await page(app, then.path))).toBe(stored);
    // The partner's next failure is another incident.
    await check(app, "failing", "failing");
    expect(await procores(app)).toBeGreaterThan(1);
    expect([mainOf(await page(app, path)), mainOf(await page(app, now.path))]).toEqual(
      texts.map(mainOf),
    );
    // One that had ended when it was shared looks the same then and now.
    const ended = await made(app, { incident: 1, shows: "then" });
    expect(await page(app, ended.path)).toContain("How it ended");
  });

  test("marks outdated checks as blind instead of showing false green", async ({ app }) => {
    const { path } = await made(app, { shows: "now" });
    expect(await page(app, path)).toContain('<main class="is-live" data-delayed-in="150000"');
    await app.clock.advance(400_000);
    const blind = await page(app, path);
    expect(blind).toContain('<main class="is-blind" data-delayed-in="0" data-blind-in="0"');
    expect(blind).toContain("we haven’t been able to see it since");
    expect(blind).toContain("was stale");
  });

  test("dates a moment of blindness by the last check, and says so", async ({ app }) => {
    const checkedAt = new Date(app.clock.nowMs()).toISOString().slice(11, 16);
    await app.clock.advance(3 * 3_600_000);
    const { path } = await made(app, { shows: "then" });
    const text = await page(app, path);
    expect(text).toContain(`At ${checkedAt}, Procore had needed attention since`);
    expect(text).toContain("; we couldn’t check after that.");
    expect(text).toContain(`Then, last check ${checkedAt} UTC`);
  });
});

test("has a preview of the moment it was shared, if its maker chose so", async ({ app }) => {
  const plain = await made(app);
  const bot = async (path: string) => (await open(app, path, { "user-agent": SLACKBOT })).text();
  expect(await bot(plain.path)).toContain("Sign in to see this.");
  const shared = await made(app, { details_in_preview: true });
  const text = await bot(shared.path);
  expect(text).toMatch(
    /As of .+ UTC: 1 of 3 needed attention; worst daily_logs, 1 h 10 m overdue\./,
  );
  const image = /property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? "";
  const picture = async () =>
    Buffer.from(await (await open(app, new URL(image).pathname)).arrayBuffer());
  const drawn = await picture();
  expect([drawn.readUInt32BE(16), drawn.readUInt32BE(20)]).toEqual([1200, 630]);
  await app.asOwner("truncate incidents, incident_events, incident_states");
  expect((await picture()).equals(drawn)).toBe(false);
});

// Last, because it revokes everyone's permissions.
test("is not found once its company was removed, even if its number is reused", async ({ app }) => {
  const { path } = await made(app);
  await page(app, path);
  const first = await procores(app);
  await app.asOwner("truncate incidents, incident_events, incident_states");
  expect((await open(app, path)).status).toBe(404);
  await app.clock.advance(MINUTE_MS);
  await check(app, "failing", "failing", 25);
  expect(await procores(app)).toBe(first);
  expect((await open(app, path)).status).toBe(404);
  const { path: again } = await made(app);
  await page(app, again);
  await forgetCompany(app.database, { slug: "northgate", name: "Northgate" }, app.clock.nowMs());
  await app.clock.advance(RECHECK_MS + 1);
  expect((await open(app, again)).status).toBe(404);
});
