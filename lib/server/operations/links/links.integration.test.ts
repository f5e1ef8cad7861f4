import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect } from "vitest";
import type { AllLinksView, LinkEntry, LinksView, MadeLink } from "@/lib/contracts/links";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { WRONG_TOKENS } from "@/lib/server/auth/share-links";
import { secretHash } from "@/lib/server/auth/secret";
import { newShareToken } from "@/lib/server/auth/share-token";
import * as linksRoute from "@/app/api/companies/[company]/links/route";
import * as linkRoute from "@/app/api/companies/[company]/links/[id]/route";
import * as allRoute from "@/app/api/links/route";
import type { createBrowser } from "@/lib/server/gate/app-fixture";
import { createProgram, createToken } from "@/lib/server/gate/token-fixture";
import { toResponse } from "@/lib/server/http/routes/next-response";
import { NOT_FOUND_PAGE } from "@/lib/server/http/pages.mjs";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { endPause } from "@/lib/server/store/pauses/pauses";
import { grants, people } from "@/lib/server/store/schema/people";
import { shareLinks } from "@/lib/server/store/schema/share-links";
import { CANARIES, linksTest, type LinksApp } from "./links-fixture";
import { MAX_OPEN_LINKS } from "./make-link";
import { DAY_MS, HOUR_MS } from "@/lib/domain/time/units";

type Browser = ReturnType<typeof createBrowser>;

const SLACKBOT = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";

const test = linksTest();
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(shareLinks);
  // No test crosses midnight, where sentences would name the day.
  const sinceMidnightMs = app.clock.nowMs() % DAY_MS;
  if (sinceMidnightMs > 20 * HOUR_MS)
    await app.clock.advance(DAY_MS + 9 * HOUR_MS - sinceMidnightMs);
  for (const browser of [app.member, app.other, app.admin, app.viewer]) {
    browser.jar.clear();
  }
  await app.member.signIn("ana@example.com");
  await app.other.signIn("bo@example.com");
  await app.admin.signIn("ada@example.com");
  await app.viewer.signIn("vera@example.com");
  app.publish();
});

const params = { company: "northgate" };
const list = async (by: Browser) =>
  (await (
    await by.send(linksRoute.GET, "/api/companies/northgate/links", { params })
  ).json()) as LinksView;
const change = (by: Browser, method: "PATCH" | "DELETE", id: string, body: unknown = {}) =>
  by.send(
    method === "PATCH" ? linkRoute.PATCH : linkRoute.DELETE,
    `/api/companies/northgate/links/${id}`,
    {
      method,
      body,
      params: { ...params, id },
    },
  );
const GUEST = { id: randomUUID(), name: "Ada", email: "ada@example.com" };
const afterRecheck = (app: LinksApp) => app.clock.advance(RECHECK_MS + 1);

async function bytes(answer: Response): Promise<string> {
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).toSorted();
  return JSON.stringify([answer.status, headers, await answer.text()]);
}

const missing = async () =>
  bytes(await toResponse(NOT_FOUND_PAGE, new Request("http://localhost")));

test("a token lists its person's own links only, also an administrator's, without their addresses", async ({
  app,
}) => {
  const made = await app.made();
  const own = (await (await app.make(app.admin)).json()) as MadeLink;
  const { token } = await createToken(app.admin);
  const answer = await createProgram(app.runtime, token).send(
    linksRoute.GET,
    "/api/companies/northgate/links",
    { params },
  );
  const { data } = (await answer.json()) as LinksView;
  expect(data.map(({ id }) => id)).toEqual([own.id]);
  expect((await list(app.admin)).data.map(({ id }) => id).toSorted()).toEqual(
    [made.id, own.id].toSorted(),
  );
  const secret = own.url.split("/s/")[1] ?? "";
  expect(JSON.stringify(data)).not.toContain(secret.slice(0, 22));
});

describe("creating a link", () => {
  test("returns its address once, with a 128-bit random token that is stored only as a hash", async ({
    app,
  }) => {
    const answer = await app.make(app.member, { for: " Marit Solberg " });
    expect(answer.status).toBe(201);
    const made = (await answer.json()) as MadeLink;
    expect(Object.keys(made).toSorted()).toEqual(["expires_at", "id", "url"]);
    const token = made.url.split("/s/")[1] ?? "";
    expect(made.url).toBe(`http://localhost:3000/s/${token}`);
    expect(Buffer.from(token.slice(0, 22), "base64url")).toHaveLength(16);
    expect(Date.parse(made.expires_at) - app.databaseNowMs()).toBeLessThanOrEqual(7 * DAY_MS);
    const rows = await app.database.orm.select().from(shareLinks);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.tokenHash).toBe(secretHash(token));
    expect(JSON.stringify(rows)).not.toContain(token);
    const { data, meta } = await list(app.member);
    expect(meta).toEqual({ page: 1, per_page: 50, total_count: 1, total_pages: 1 });
    expect(data).toMatchObject([
      { id: made.id, partner: "Procore", for: "Marit Solberg", state: "open", opened: 0 },
    ]);
    expect(JSON.stringify(data)).not.toContain(token);
  });

  test.for([
    [{ partner: undefined, incident: 40 }, 404],
    [{ incident: 40 }, 400],
    [{ partner: "" }, 400],
    [{ partner: 7 }, 400],
    [{ shows: "everything" }, 400],
    [{ shows: undefined }, 400],
    [{ days: 0 }, 400],
    [{ days: 31 }, 400],
    [{ days: 1.5 }, 400],
    [{ for: "x".repeat(81) }, 400],
    [{ details_in_preview: "yes" }, 400],
    [{ partner: "Unknown" }, 404],
    [{ days: undefined }, 201],
    [{ days: 30, for: null, details_in_preview: true }, 201],
  ] as const)("%j answers %i", async ([body, status], { app }) => {
    expect((await app.make(app.member, body)).status).toBe(status);
  });

  test("is refused for both a partner and an incident, or neither, saying that it takes one", async ({
    app,
  }) => {
    for (const body of [{ incident: 40 }, { partner: undefined }]) {
      const answer = await app.make(app.member, body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error_description: "A link shows either a partner or an incident: send one of the two.",
      });
    }
  });

  test("is refused beyond the limit of open links, also concurrently, until one is revoked", async ({
    app,
  }) => {
    const first = await app.made();
    const [row] = await app.database.orm.select().from(shareLinks);
    if (row === undefined) throw new Error("the link is missing");
    await app.database.orm.insert(shareLinks).values(
      Array.from({ length: MAX_OPEN_LINKS - 2 }, (_, nth) => {
        const [id, tokenHash, previewId] = [randomUUID(), secretHash(`${nth}`), `preview ${nth}`];
        return { ...row, id, tokenHash, previewId };
      }),
    );
    const answers = await Promise.all([1, 2, 3].map(() => app.make(app.member)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect((await app.make(app.other)).status).toBe(201);
    expect((await change(app.member, "DELETE", first.id)).status).toBe(204);
    expect((await app.make(app.member)).status).toBe(201);
  });

  test("requires a member or above; viewers may not create, list or change links", async ({
    app,
  }) => {
    expect((await app.make(app.viewer)).status).toBe(403);
    const { id } = await app.made();
    const listed = await app.viewer.send(linksRoute.GET, "/api/companies/northgate/links", {
      params,
    });
    expect(listed.status).toBe(403);
    expect((await change(app.viewer, "DELETE", id)).status).toBe(403);
  });
});

describe("links of other people", () => {
  test("are not found for members, while administrators see and revoke them", async ({ app }) => {
    const { id } = await app.made();
    expect((await list(app.other)).data).toEqual([]);
    const theirs = await bytes(await change(app.other, "DELETE", id));
    const none = await bytes(await change(app.other, "DELETE", crypto.randomUUID()));
    expect(theirs).toBe(none);
    expect((await change(app.other, "PATCH", id, { days: 1 })).status).toBe(404);
    expect((await list(app.admin)).data).toMatchObject([
      { id, made_by: { name: "ana@example.com", is_you: false } },
    ]);
    const everything = (await (
      await app.admin.send(allRoute.GET, "/api/links")
    ).json()) as AllLinksView;
    expect(everything).toMatchObject({ counts: { open: 1, ended: 0 }, lists_everyones: true });
    expect((await change(app.admin, "DELETE", id)).status).toBe(204);
    expect((await list(app.member)).data).toMatchObject([
      { id, state: "revoked", revoked_by: "ada@example.com" },
    ]);
  });

  test("appear with each change in the company's audit log, whose chain is intact", async ({
    app,
  }) => {
    const { id, token } = await app.made(app.member, { for: "Marit" });
    await change(app.member, "PATCH", id, { days: 30 });
    await change(app.member, "DELETE", id);
    // Revoking an ended link again is not logged.
    await change(app.member, "DELETE", id);
    const actions = await readActions(app.database, "northgate", UNFILTERED, {
      start: { offset: 0 },
      limit: 3,
    });
    expect(
      actions.map(
        ({ rows: [{ kind, event, detail }] }) => `${kind} ${event} ${String(detail["subject"])}`,
      ),
    ).toEqual([
      "share-link revoke.asked Procore, for Marit",
      "share-link extend.asked Procore, for Marit",
      "share-link make.asked Procore, for Marit",
    ]);
    expect(JSON.stringify(actions)).not.toContain(token);
    const checked = await checkAudit(app.database, { keys: TEST_KEYS.known });
    expect(checked.find(({ company }) => company === "northgate")).toMatchObject({ broken: null });
  });
});

describe("extending a link", () => {
  test("sets its expiry in days from now, except for an ended link", async ({ app }) => {
    const { id } = await app.made(app.member, { days: 1 });
    const answer = await change(app.member, "PATCH", id, { days: 30 });
    const entry = (await answer.json()) as LinkEntry;
    const aheadMs = Date.parse(entry.expires_at) - app.databaseNowMs();
    expect(Math.abs(aheadMs - 30 * DAY_MS)).toBeLessThan(60_000);
    expect((await change(app.member, "PATCH", id, { days: 31 })).status).toBe(400);
    await change(app.member, "DELETE", id);
    expect((await change(app.member, "PATCH", id, { days: 1 })).status).toBe(409);
  });
});

describe("the page", () => {
  test("shows one partner then and now, and nothing else", async ({ app }) => {
    const { token } = await app.made(app.member, { for: "Customer board" });
    await app.clock.advance(60_000);
    app.publish(true);
    const answer = await app.open(`/s/${token}`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain("1 of 2 feeds needed attention");
    expect(text).toContain("Now none does");
    expect(text).toContain("caught up");
    expect(text).toContain("rfis&lt;b&gt;");
    expect(text).toContain("Shared by ana,");
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
    expect(text).not.toContain(token);
    // The page has no links into the app.
    expect(text).not.toMatch(/<a\b/);
  });

  test.for(["then", "now"] as const)("of %s shows only that", async (shows, { app }) => {
    const { token } = await app.made(app.member, { shows });
    await app.clock.advance(60_000);
    app.publish(true);
    const text = await (await app.open(`/s/${token}`)).text();
    expect(text.includes("daily_logs")).toBe(true);
    expect(text.includes("Then, ")).toBe(shows === "then");
    expect(text.includes("Now, ")).toBe(shows === "now");
    expect(text.includes(">Late<")).toBe(shows === "then");
    expect(text.includes("noscript")).toBe(shows === "now");
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
  });

  test("sets no cookie, and keeps its address out of caches, referrers and indexes", async ({
    app,
  }) => {
    const { token } = await app.made();
    const { headers } = await app.open(`/s/${token}`);
    expect(headers.getSetCookie()).toEqual([]);
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(JSON.stringify([...headers])).not.toContain(token);
  });

  test("keeps the stored state when names change or data is deleted", async ({ app }) => {
    const { token } = await app.made(app.member, { shows: "then" });
    await app.clock.advance(40 * 60_000);
    const before = await (await app.open(`/s/${token}`)).text();
    app.publish(true);
    const after = await (await app.open(`/s/${token}`)).text();
    const stored = (text: string) => /<tbody>.*<\/tbody>/s.exec(text)?.[0];
    expect(stored(after)).toBe(stored(before));
    expect(stored(after)).toContain("1 h 10 m overdue");
  });

  test("marks outdated checks as blind instead of showing false green", async ({ app }) => {
    const { token } = await app.made(app.member, { shows: "now" });
    app.publish(true);
    const live = await (await app.open(`/s/${token}`)).text();
    expect(live).toContain('<main class="is-live" data-delayed-in="150000" data-blind-in="300000"');
    await app.clock.advance(200_000);
    expect(await (await app.open(`/s/${token}`)).text()).toContain('<main class="is-delayed"');
    await app.clock.advance(200_000);
    const blind = await (await app.open(`/s/${token}`)).text();
    expect(blind).toContain('<main class="is-blind" data-delayed-in="0" data-blind-in="0"');
    expect(blind).toContain("nothing here is current");
    expect(blind).toContain("was fresh");
  });

  test("shows the same data age as the partner page's bar, without paused endpoints", async ({
    app,
  }) => {
    const { token } = await app.made(app.member, { shows: "now" });
    app.publish(true, [{ id: "ep-procore-3", status: "inactive", minutes: 5000 }]);
    const text = await (await app.open(`/s/${token}`)).text();
    expect(text).toMatch(/Partner data\s*<b>5 m to 7 m<\/b>/);
    app.publish();
  });

  test("dates a moment of blindness by the last check, and says so", async ({ app }) => {
    app.publish(false);
    const checkedAt = new Date(app.clock.nowMs()).toISOString().slice(11, 16);
    await app.clock.advance(3 * 3_600_000);
    const sharedAt = new Date(app.clock.nowMs()).toISOString().slice(11, 16);
    const both = await app.made(app.member, { details_in_preview: true });
    const then = await app.made(app.member, { shows: "then" });
    const card = await (
      await app.open(`/s/${both.token}`, { headers: { "user-agent": "Slackbot 1.0" } })
    ).text();
    expect(card).toContain("We couldn’t check after that.");
    app.publish(true);
    const headline = async (token: string) =>
      /<h1>(.*?)<\/h1>/s.exec(await (await app.open(`/s/${token}`)).text())?.[1];
    for (const { token } of [both, then]) {
      const said = await headline(token);
      expect(said).toMatch(new RegExp(`at ${checkedAt}`, "i"));
      expect(said).toContain("we couldn’t check after that");
      expect(said).not.toContain(sharedAt);
      const page = await (await app.open(`/s/${token}`)).text();
      expect(page).toContain(`Then, last check ${checkedAt} UTC`);
      expect(page).toContain(`This was shared at ${sharedAt}, when we couldn’t check.`);
    }
  });

  test("says in the card when the last check was if checks were delayed", async ({ app }) => {
    app.publish(true);
    const checkedAt = new Date(app.clock.nowMs()).toISOString().slice(11, 16);
    await app.clock.advance(200_000);
    const { token } = await app.made(app.member, { details_in_preview: true });
    const request = { headers: { "user-agent": "Slackbot 1.0" } };
    const card = await (await app.open(`/s/${token}`, request)).text();
    expect(card).toContain(`Last checked at ${checkedAt} UTC.`);
  });

  test("uses the reader's time zone once their browser sends it, UTC before", async ({ app }) => {
    const { token } = await app.made();
    const inZone = async (zone: string) =>
      (await app.open(`/s/${token}`, { headers: { "x-time-zone": zone } })).text();
    expect(await (await app.open(`/s/${token}`)).text()).toContain(" UTC");
    expect(await inZone("Asia/Tokyo")).toContain(" JST");
    for (const odd of ["Nowhere/Land", "+05:00", "<script>", "x".repeat(500)]) {
      expect(await inZone(odd)).toContain(" UTC");
    }
  });

  test("ignores sessions, and creates none", async ({ app }) => {
    const { token } = await app.made();
    const cookie = app.viewer.cookieHeader();
    const [theirs, anonymous] = await Promise.all([
      app.open(`/s/${token}`, { headers: { cookie } }),
      app.open(`/s/${token}`),
    ]);
    expect(await theirs.text()).toBe(await anonymous.text());
  });

  test("is not found for a company that is no longer connected", async ({ app }) => {
    const { id, token } = await app.made();
    await app.database.orm.update(shareLinks).set({ company: "gone" }).where(eq(shareLinks.id, id));
    await afterRecheck(app);
    expect([404, 410]).toContain((await app.open(`/s/${token}`)).status);
  });
});

describe("a view", () => {
  const paint = (
    app: LinksApp,
    token: string,
    headers: Record<string, string> = {},
    address?: string,
  ) =>
    app.open(`/s/${token}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://localhost:3000", ...headers },
      body: "{}",
      ...(address !== undefined && { address }),
    });
  const opened = async (app: LinksApp) => (await list(app.member)).data[0]?.opened;

  test("is counted by the rendered page's request, not by fetching or by bots", async ({ app }) => {
    const { token } = await app.made();
    const before = JSON.stringify(await app.database.orm.select().from(shareLinks));
    await app.open(`/s/${token}`);
    await app.open(`/s/${token}`, { headers: { "user-agent": SLACKBOT } });
    expect((await paint(app, token, { "user-agent": SLACKBOT })).status).toBe(204);
    expect(JSON.stringify(await app.database.orm.select().from(shareLinks))).toBe(before);
    expect((await paint(app, token)).status).toBe(204);
    expect(await opened(app)).toBe(1);
    for (let at = 0; at < 40; at += 1) await paint(app, token, {}, "198.51.100.99");
    expect(await opened(app)).toBe(11);
  });

  test("is not counted from other origins, nor for an unknown link", async ({ app }) => {
    const { token, id } = await app.made();
    expect((await paint(app, token, { origin: "https://evil.example" })).status).toBe(403);
    expect((await paint(app, token, { "content-type": "text/plain" })).status).toBe(415);
    expect((await paint(app, newShareToken("another secret"))).status).toBe(404);
    await change(app.member, "DELETE", id);
    expect((await paint(app, token)).status).toBe(404);
    expect(await opened(app)).toBe(0);
  });
});

describe("a link that has ended", () => {
  test("names who shared it and shows no data, when opened with its valid token", async ({
    app,
  }) => {
    const { id, token } = await app.made();
    await app.open(`/s/${token}`);
    expect((await change(app.member, "DELETE", id)).status).toBe(204);
    const answer = await app.open(`/s/${token}`);
    const text = await answer.text();
    expect(answer.status).toBe(410);
    expect(text).toContain("This link was revoked on");
    expect(text).toContain("Ask ana for a new link.");
    for (const word of ["Procore", "Northgate", "daily_logs", ...CANARIES]) {
      expect(text).not.toContain(word);
    }
  });

  test("is reported at once to an open page, which gets nothing more while the link is open", async ({
    app,
  }) => {
    const { id, token } = await app.made();
    const ask = () => app.open(`/s/${token}`, { headers: { "if-none-match": '"open"' } });
    const open = await ask();
    expect([open.status, await open.text()]).toEqual([304, ""]);
    expect((await change(app.member, "DELETE", id)).status).toBe(204);
    const ended = await ask();
    expect([ended.status, (await ended.text()).includes("Procore")]).toEqual([410, false]);
  });

  test("expires at its time", async ({ app }) => {
    const { id, token } = await app.made(app.member, { days: 1 });
    await app.database.orm
      .update(shareLinks)
      .set({ expiresAt: new Date(app.databaseNowMs() - 1) })
      .where(eq(shareLinks.id, id));
    expect(await (await app.open(`/s/${token}`)).text()).toContain("This link expired on");
  });

  test("ends on another instance within seconds", async ({ app }) => {
    const { id, token } = await app.made();
    const here = Reflect.get(globalThis, Symbol.for("plumbline.runtime")) as { current: unknown };
    const first = here.current;
    app.switchInstance();
    expect((await app.open(`/s/${token}`)).status).toBe(200);
    const second = here.current;
    here.current = first;
    await change(app.member, "DELETE", id);
    here.current = second;
    // Without a notification.
    await afterRecheck(app);
    expect((await app.open(`/s/${token}`)).status).toBe(410);
    here.current = first;
  });

  test("is closed while links are paused after a restore, and opens again after they are resumed", async ({
    app,
  }) => {
    const { token } = await app.made();
    await pauseByRestore(app.database, "links", app.clock.nowMs());
    await afterRecheck(app);
    const answer = await app.open(`/s/${token}`);
    expect([answer.status, (await answer.text()).includes("daily_logs")]).toEqual([410, false]);
    const by = { requestId: "r", nowMs: app.clock.nowMs(), companies: ["northgate"] };
    await endPause(app.database, "links", { ...by, person: GUEST });
    await afterRecheck(app);
    expect((await app.open(`/s/${token}`)).status).toBe(200);
  });

  test.for([
    ["bo@example.com", "bo"],
    ["@bo", "@bo"],
    ["Bo (support @ Acme)", "Bo (support @ Acme)"],
  ] as const)("says whose it is without an email address: %s", async ([name, shown], { app }) => {
    const { token } = await app.made(app.other);
    const mine = eq(people.email, "bo@example.com");
    await app.database.orm.update(people).set({ name }).where(mine);
    await afterRecheck(app);
    const page = await (await app.open(`/s/${token}`)).text();
    expect(page).toContain(`Shared by ${shown},`);
    expect(page).not.toContain("example.com");
    await app.database.orm.update(people).set({ name: "bo@example.com" }).where(mine);
  });

  test("is closed while its maker may not share", async ({ app }) => {
    const { token } = await app.made(app.other);
    const mine = eq(people.email, "bo@example.com");
    const [person] = await app.database.orm.select().from(people).where(mine);
    const personId = person?.id ?? "";
    const became = async (role: "viewer" | "member") => {
      await app.database.orm.update(grants).set({ role }).where(eq(grants.personId, personId));
      await afterRecheck(app);
    };
    await became("viewer");
    const answer = await app.open(`/s/${token}`);
    expect([answer.status, (await answer.text()).includes("daily_logs")]).toEqual([410, false]);
    expect((await list(app.admin)).data).toMatchObject([{ state: "paused" }]);
    await became("member");
    expect((await app.open(`/s/${token}`)).status).toBe(200);
    await app.database.orm.update(people).set({ disabledAt: new Date() }).where(mine);
    await afterRecheck(app);
    expect((await app.open(`/s/${token}`)).status).toBe(410);
    await app.database.orm.update(people).set({ disabledAt: null }).where(mine);
  });
});

describe("guessing tokens", () => {
  test("gives a forged token the byte-identical response of a missing address", async ({ app }) => {
    const { token } = await app.made();
    const flipped = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    const guesses = [flipped, `${token}x`, token.slice(1), "x", "wall", newShareToken("other")];
    for (const guess of guesses) {
      expect(await bytes(await app.open(`/s/${guess}`))).toBe(await missing());
    }
    // Validly signed, but without a row.
    const { authSecret } = app.runtime;
    expect(await bytes(await app.open(`/s/${newShareToken(authSecret)}`))).toBe(await missing());
  });

  test("survives 10,000 guesses without opening a link, querying the database or delaying others", async ({
    app,
  }) => {
    const { token } = await app.made();
    const queries: unknown[] = [];
    const { pool } = app.database;
    const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
    Reflect.set(pool, "query", (...given: unknown[]) => {
      queries.push(given[0]);
      return query(...given);
    });
    try {
      const seen = new Map<number, number>();
      for (let at = 0; at < 10_000; at += 1) {
        const { status } = await app.open(`/s/${newShareToken(`guess ${at}`)}`, {
          address: "198.51.100.66",
        });
        seen.set(status, (seen.get(status) ?? 0) + 1);
      }
      expect([...seen]).toEqual([
        [404, WRONG_TOKENS.limit],
        [429, 10_000 - WRONG_TOKENS.limit],
      ]);
      expect(queries).toEqual([]);
    } finally {
      Reflect.deleteProperty(pool, "query");
    }
    // A valid token still works from the guesser's address.
    expect((await app.open(`/s/${token}`, { address: "198.51.100.66" })).status).toBe(200);
    expect((await app.open("/s/guess", { address: "198.51.100.67" })).status).toBe(404);
  });
});

describe("a preview", () => {
  const preview = (app: LinksApp, path: string) =>
    app.open(path, { headers: { "user-agent": SLACKBOT } });
  const imageOf = (text: string) =>
    new URL(/property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? "").pathname;

  test("is generic unless its maker chose details", async ({ app }) => {
    const { token } = await app.made();
    const text = await (await preview(app, `/s/${token}`)).text();
    expect(text).toContain("Sign in to see this.");
    expect(imageOf(text)).toBe("/preview.png");
    expect(text).not.toMatch(/Procore|Northgate|ana/);
  });

  test("with details names its moment, shows its picture, and is generic once revoked", async ({
    app,
  }) => {
    const { id, token } = await app.made(app.member, { details_in_preview: true });
    const text = await (await preview(app, `/s/${token}`)).text();
    expect(text).toMatch(/As of \d{1,2} \w{3} \d{4}, \d\d:\d\d UTC: 1 of 2 needed attention/);
    expect(text).not.toContain(token);
    const image = imageOf(text);
    expect(image).toMatch(/^\/api\/previews\/[\w-]{22}\/as-of-\d{4}-\d\d-\d\dT\d\d-\d\dZ\.png$/);
    const picture = await app.open(image);
    expect(picture.headers.get("content-type")).toBe("image/png");
    const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
    const drawn = await bytesOf(picture);
    expect(drawn.subarray(1, 4).toString()).toBe("PNG");
    expect([drawn.readUInt32BE(16), drawn.readUInt32BE(20)]).toEqual([1200, 630]);
    await change(app.member, "DELETE", id);
    const generic = await bytesOf(await app.open(image));
    expect(generic.equals(drawn)).toBe(false);
    expect(await (await preview(app, `/s/${token}`)).text()).toContain("Sign in to see this.");
    expect((await app.open("/api/previews/AAAAAAAAAAAAAAAAAAAAAA/x.png")).status).toBe(404);
  });
});

test("keeps tokens out of the log in every case", async ({ app }) => {
  const { id, token } = await app.made();
  await app.open(`/s/${token}`);
  await app.open(`/s/${token}x`);
  await app.whileAway("share_links", async () => {
    await afterRecheck(app);
    await app.open(`/s/${token}`);
    await app.open(`/s/${newShareToken(app.runtime.authSecret)}`);
  });
  await app.clock.advance(5_000);
  await change(app.member, "DELETE", id);
  await app.open(`/s/${token}`);
  const log = app.logText();
  expect(log).toContain("share_link_refused");
  expect(log).toContain("links_unchecked");
  expect(log).not.toContain(token);
  expect(log).not.toContain(token.slice(0, 22));
  expect(log).not.toContain("/s/");
});
