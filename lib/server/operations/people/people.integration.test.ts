import { eq, isNotNull } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, describe, expect } from "vitest";
import { Invited, PasswordLink, PeopleView, PersonEntry } from "@/lib/contracts/people";
import { createAccess } from "@/lib/server/auth/access";
import { createPasswordMeter } from "@/lib/server/auth/password-meter";
import type { LocalSignIn } from "@/lib/server/auth/password-sign-in";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { RECENT_MS } from "@/lib/server/auth/recent-sign-in";
import { secretHash } from "@/lib/server/auth/secret";
import type { Mail, MailOutcome } from "@/lib/server/delivery/mail";
import * as listRoute from "@/app/api/people/route";
import * as personRoute from "@/app/api/people/[id]/route";
import * as resetRoute from "@/app/api/people/[id]/reset/route";
import * as sessionsRoute from "@/app/api/people/[id]/sessions/route";
import * as passwordRoute from "@/app/signin/password/route";
import {
  appTest,
  createBrowser,
  createTestApp,
  PASSWORD,
  withParams,
  type TestApp,
} from "@/lib/server/gate/app-fixture";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { readActions, UNFILTERED } from "@/lib/server/store/audit/activity";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import { INSTALLATION } from "@/lib/server/store/audit/installation-log";
import {
  grants,
  passwordLinks,
  people,
  sessions,
  signInAttempts,
} from "@/lib/server/store/schema/people";
import { readPasswordLink, WRONG_LINKS } from "./choose-password";
import type { PeopleRuntime } from "./person-view";

const CHOSEN = "vk27-tqpz-9dhw";
const SEVEN_DAYS_MS = 7 * 24 * 3_600_000;

type Browser = ReturnType<typeof createBrowser>;

/** No rules, unless a test sets some. */
const access = createAccess("https://id.example", []);
const local: LocalSignIn = { who: "on", adminEmail: "first@example.com" };
const test = appTest(() => createTestApp(undefined, () => ({ access, local })));
let runtime: PeopleRuntime & Omit<TestApp["runtime"], "config">;
let ana: Browser;
let anaId: string;
test.beforeAll(async ({ app }) => {
  runtime = {
    ...app.runtime,
    config: { adminEmail: "first@example.com" },
    mailer: null,
    passwordMeter: createPasswordMeter(),
  };
  app.serve(runtime);
});
afterAll(() => runtime.passwordMeter.stop());
test.beforeEach(async ({ app }) => {
  await app.database.orm.delete(signInAttempts);
  await app.database.orm.delete(passwordLinks);
  await app.database.orm.delete(grants);
  await app.database.orm.delete(people);
  access.replace([]);
  local.who = "on";
  runtime.config.adminEmail = "first@example.com";
  anaId = await app.addPerson("ana@example.com", "administrator");
  ana = createBrowser(runtime);
  await ana.signIn("ana@example.com");
});

async function list(query = "", by = ana) {
  const answer = await by.send(listRoute.GET, `/api/people${query}`);
  return PeopleView.parse(await answer.json());
}
const entry = async (email: string) =>
  (await list()).data.find((person) => person.email === email) ?? null;
const invite = (body: Record<string, unknown> = {}, by = ana) =>
  by.send(listRoute.POST, "/api/people", {
    body: {
      name: "Bo Lind",
      email: "Bo@Example.com",
      grants: [{ role: "viewer", company: "northgate" }],
      ...body,
    },
  });
async function invited(body: Record<string, unknown> = {}) {
  const { id, invitation } = Invited.parse(await (await invite(body)).json());
  return { id, secret: invitation.url.split("/").at(-1) ?? "", ...invitation };
}
const change = (id: string, body: unknown, by = ana) =>
  by.send(personRoute.PATCH, `/api/people/${id}`, { method: "PATCH", body, params: { id } });
const reset = (id: string, by = ana) =>
  by.send(resetRoute.POST, `/api/people/${id}/reset`, { body: {}, params: { id } });
const endSessions = (id: string, by = ana) =>
  by.send(sessionsRoute.DELETE, `/api/people/${id}/sessions`, {
    method: "DELETE",
    body: {},
    params: { id },
  });
const isSignedIn = async (browser: Browser) =>
  Object.hasOwn((await (await browser.auth("session")).json()) as object, "user");
const canSignIn = async (email: string, password: string) =>
  (await createBrowser(runtime).signIn(email, password)).status === 200;

/** Submits the form; returns the redirect target. */
async function choose(
  secret: string,
  password = CHOSEN,
  { again = password, headers = {}, address = "192.0.2.9" } = {},
): Promise<string> {
  const request = createBrowser(runtime, { address }).request("/signin/password", {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      origin: "null",
      ...headers,
    },
    body: new URLSearchParams({ link: secret, password, again }).toString(),
  });
  const answer = await passwordRoute.POST(request, withParams());
  return answer.headers.get("location") ?? String(answer.status);
}

/** Events in the installation's audit log, oldest first. */
async function logged(app: TestApp) {
  const actions = await readActions(app.database, INSTALLATION, UNFILTERED, {
    start: { offset: 0 },
    limit: 1_000,
  });
  return actions
    .map(({ rows: [row] }) => ({
      event: row.event.replace(".asked", ""),
      subject: row.detail["subject"],
      because: row.detail["because"],
      by: row.personEmail,
    }))
    .toReversed();
}
const lastLogged = async (app: TestApp) => (await logged(app)).at(-1);

describe("permissions", () => {
  test("allow administrators; refuse other people with 403, and strangers without details", async ({
    app,
  }) => {
    await app.addPerson("op@example.com", "operator", [null]);
    const operator = createBrowser(runtime);
    await operator.signIn("op@example.com");
    const stranger = createBrowser(runtime);
    for (const [by, status] of [
      [operator, 403],
      [stranger, 401],
    ] as const) {
      const answers = await Promise.all([
        by.send(listRoute.GET, "/api/people"),
        invite({}, by),
        change(anaId, { name: "x" }, by),
        reset(anaId, by),
        endSessions(anaId, by),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([1, 1, 1, 1, 1].map(() => status));
    }
    expect((await entry("ana@example.com"))?.name).toBe("ana@example.com");
  });

  test("require a sign-in within the hour for changes, not for reading", async ({ app }) => {
    await app.clock.advance(RECENT_MS - 1);
    expect((await invite()).status).toBe(201);
    await app.clock.advance(1);
    const answers = await Promise.all([
      invite({ email: "cy@example.com" }),
      change(anaId, { name: "x" }),
      reset(anaId),
      endSessions(anaId),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: "reauthentication_required" });
    }
    expect((await list()).data.map(({ email }) => email)).toEqual([
      "ana@example.com",
      "bo@example.com",
    ]);
    expect(await lastLogged(app)).toMatchObject({ event: "invite", subject: "bo@example.com" });
  });

  test("accept only JSON from our own pages", async () => {
    const init = { method: "DELETE", headers: { origin: runtime.appUrl } };
    const request = ana.request(`/api/people/${anaId}/sessions`, init);
    expect((await sessionsRoute.DELETE(request, withParams({ id: anaId }))).status).toBe(415);
  });

  test("take only names that can be seen, and that reorder nothing around them", async () => {
    const unseen = await invite({ name: "\u200b\u3164" });
    expect(unseen.status).toBe(400);
    expect(await unseen.json()).toMatchObject({
      error_description: "name is missing or not valid.",
    });
    const { id } = await invited({ name: " Bo\u202e Lind\0 " });
    expect((await entry("bo@example.com"))?.name).toBe("Bo Lind");
    expect((await change(id, { name: "\ufeff" })).status).toBe(400);
  });

  test("refuse unknown members instead of doing nothing", async ({ app }) => {
    const boId = await app.addPerson("bo@example.com", "viewer");
    const refused = await change(boId, { disable: true });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error_description: "disable can’t be set here.",
    });
    expect((await invite({ email: "di@example.com", role: "viewer" })).status).toBe(400);
    const grant = { role: "viewer", company: null, companies: ["northgate"] };
    expect((await invite({ email: "di@example.com", grants: [grant] })).status).toBe(400);
    expect(await entry("di@example.com")).toBeNull();
  });
});

describe("an invitation", () => {
  test("creates a person, who chooses a password through a link, once", async ({ app }) => {
    const { id, url, secret, expires_at: expiresAt } = await invited();
    expect(url).toBe(`${runtime.appUrl}/signin/password/${secret}`);
    expect(Date.parse(expiresAt)).toBe(app.databaseNowMs() + SEVEN_DAYS_MS);
    expect(await entry("bo@example.com")).toMatchObject({
      id,
      name: "Bo Lind",
      kind: "local",
      status: "invited",
      link_expires_at: expiresAt,
      last_seen_at: null,
      grants: [
        {
          role: "viewer",
          company: "northgate",
          because: { kind: "hand", by: "ana@example.com" },
        },
      ],
    });
    expect(await readPasswordLink(runtime, secret)).toEqual({
      state: "open",
      purpose: "invitation",
      name: "Bo Lind",
      email: "bo@example.com",
    });
    expect(await choose(secret)).toBe("/signin/password/done");
    expect(await canSignIn("bo@example.com", CHOSEN)).toBe(true);
    expect(await entry("bo@example.com")).toMatchObject({ status: "active", sessions: 1 });
    expect(await readPasswordLink(runtime, secret)).toEqual({ state: "used" });
    expect(await choose(secret, "another good one 77")).toBe(`/signin/password/${secret}`);
    expect(await canSignIn("bo@example.com", "another good one 77")).toBe(false);
  });

  test("is logged and audited, without its link's secret or passwords", async ({ app }) => {
    const { secret, id } = await invited();
    await choose(secret, "passwordpassword");
    await choose(secret);
    const [row] = await app.database.orm.select().from(passwordLinks);
    expect(row?.id).toBe(secretHash(secret));
    expect((await logged(app)).slice(-2)).toEqual([
      {
        event: "invite",
        subject: "bo@example.com",
        because: "viewer at Northgate Builders",
        by: "ana@example.com",
      },
      {
        event: "set-password",
        subject: "bo@example.com",
        because: "invitation",
        by: "bo@example.com",
      },
    ]);
    const { rows } = await app.database.pool.query("select * from audit_log");
    const everything = app.logText() + JSON.stringify(rows);
    for (const hidden of [secret, CHOSEN, "passwordpassword"]) {
      expect(everything).not.toContain(hidden);
    }
    expect(app.logged("person_invited")).toContainEqual(
      expect.objectContaining({ person: anaId, whom: id }),
    );
  });

  test.each<[string, Record<string, unknown>]>([
    ["a blank name", { name: " " }],
    ["no address", { email: "bo" }],
    ["an odd address", { email: "bo\0@example.com" }],
    ["an unknown role", { grants: [{ role: "owner", company: null }] }],
    ["an unknown company", { grants: [{ role: "viewer", company: "nowhere" }] }],
    [
      "an administrator of one company",
      { grants: [{ role: "administrator", company: "northgate" }] },
    ],
    [
      "a company twice",
      {
        grants: [
          { role: "viewer", company: "northgate" },
          { role: "member", company: "northgate" },
        ],
      },
    ],
    [
      "too many grants",
      { grants: Array.from({ length: 201 }, () => ({ role: "viewer", company: null })) },
    ],
  ])("with %s is refused", async (_, body) => {
    expect((await invite(body)).status).toBe(400);
    expect((await list()).meta.total_count).toBe(1);
  });

  test("is refused for an existing address, even concurrently", async () => {
    const both = await Promise.all([invite(), invite({ email: "BO@example.com" })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect((await list()).meta.total_count).toBe(2);
  });

  test("expires after seven days, by PostgreSQL's clock alone", async ({ app }) => {
    const { secret } = await invited();
    app.jumpOurs(30 * SEVEN_DAYS_MS);
    expect((await readPasswordLink(runtime, secret)).state).toBe("open");
    app.jumpOurs(-30 * SEVEN_DAYS_MS);
    await app.database.orm.update(passwordLinks).set({ expiresAt: new Date(app.databaseNowMs()) });
    expect(await readPasswordLink(runtime, secret)).toEqual({ state: "expired" });
    expect(await choose(secret)).toBe(`/signin/password/${secret}`);
    expect(await canSignIn("bo@example.com", CHOSEN)).toBe(false);
  });

  test("is revoked by disabling, and not restored by enabling", async () => {
    const { id, secret } = await invited();
    await change(id, { disabled: true });
    expect(await readPasswordLink(runtime, secret)).toEqual({ state: "missing" });
    expect((await reset(id)).status).toBe(409);
    await change(id, { disabled: false });
    expect(await choose(secret)).toBe(`/signin/password/${secret}`);
    expect(await canSignIn("bo@example.com", CHOSEN)).toBe(false);
  });
});

describe("a mailed link", () => {
  const mails: Mail[] = [];
  let outcome: MailOutcome = "accepted";
  beforeEach(() => {
    mails.length = 0;
    runtime.mailer = {
      send(mail) {
        mails.push(mail);
        return Promise.resolve(outcome);
      },
    };
  });
  afterEach(() => {
    runtime.mailer = null;
  });

  test("is sent once to its recipient, with the outcome in the response", async ({ app }) => {
    for (const known of ["accepted", "failed", "unknown"] as const) {
      outcome = known;
      mails.length = 0;
      const email = `${known}@example.com`;
      const { id, url, mailed } = await invited({ email });
      expect(mailed).toBe(known);
      expect(mails).toHaveLength(1);
      expect(mails[0]).toMatchObject({
        to: email,
        subject: "ana@example.com invited you to Plumbline",
      });
      expect(mails[0]?.text).toContain(url);
      // Until a password is set it still is an invitation.
      const again = PasswordLink.parse(await (await reset(id)).json());
      expect(again.mailed).toBe(known);
      expect(mails[1]?.text).toContain(again.url);
      expect(mails[1]?.subject).toBe("ana@example.com invited you to Plumbline");
      expect(app.logged("person_invited").at(-1)).toMatchObject({ mailed: known });
    }
    const cy = await app.addPerson("cy@example.com", "viewer", ["northgate"]);
    await reset(cy);
    expect(mails.at(-1)?.subject).toBe("Choose a new password for Plumbline");
    for (const { text } of mails) expect(text).not.toMatch(/northgate|harbour/i);
    for (const { text } of mails) {
      const secret = /password\/([\w-]{43})/.exec(text)?.[1] ?? "none";
      expect(app.logText()).not.toContain(secret);
    }
  });

  test("is sent only on creation", async () => {
    expect((await invite({ email: "ana@example.com" })).status).toBe(409);
    expect((await invite({ email: "not one" })).status).toBe(400);
    expect((await reset("00000000-0000-4000-8000-000000000000")).status).toBe(404);
    expect(mails).toEqual([]);
  });

  test("is not sent without a mail server", async () => {
    runtime.mailer = null;
    expect((await invited()).mailed).toBe("off");
  });
});

describe("a password", () => {
  test.each([
    ["short", "tooshort", undefined],
    ["common", "summermountain", undefined],
    ["own-words", "bo@example.com", undefined],
    ["different", CHOSEN, `${CHOSEN} `],
  ])("is refused with a reason when %s; the link stays valid", async (why, password, again) => {
    const { secret } = await invited();
    const led = await choose(secret, password, { ...(again !== undefined && { again }) });
    expect(led).toBe(`/signin/password/${secret}?problem=${why}`);
    expect(await choose(secret)).toBe("/signin/password/done");
  });

  test("is set by exactly one of concurrent uses of a link", async () => {
    const { secret } = await invited();
    const passwords = ["a9f-kd72-zzq1", "b9f-kd72-zzq2", "c9f-kd72-zzq3", "d9f-kd72-zzq4"];
    const led = await Promise.all(passwords.map((password) => choose(secret, password)));
    expect(led.filter((to) => to === "/signin/password/done")).toHaveLength(1);
    const winner = passwords[led.indexOf("/signin/password/done")] ?? "";
    for (const password of passwords) {
      expect(await canSignIn("bo@example.com", password)).toBe(password === winner);
    }
  });

  test("ends every session when changed, and a newer link replaces an older one", async ({
    app,
  }) => {
    const id = await app.addPerson("cy@example.com", "viewer", ["northgate"]);
    const cy = createBrowser(runtime);
    await cy.signIn("cy@example.com");
    const secrets = [];
    for (let i = 0; i < 2; i++) {
      const { url } = PasswordLink.parse(await (await reset(id)).json());
      secrets.push(url.split("/").at(-1) ?? "");
    }
    // Nothing changes until the link is used.
    expect(await isSignedIn(cy)).toBe(true);
    expect(await choose(secrets[0] ?? "")).toBe(`/signin/password/${secrets[0]}`);
    expect(await choose(secrets[1] ?? "")).toBe("/signin/password/done");
    await app.clock.advance(RECHECK_MS);
    expect(await isSignedIn(cy)).toBe(false);
    expect(await canSignIn("cy@example.com", PASSWORD)).toBe(false);
    expect(await canSignIn("cy@example.com", CHOSEN)).toBe(true);
    expect(await isSignedIn(ana)).toBe(true);
  });

  test("is rate-limited: invalid links per address, passwords per link", async ({ app }) => {
    const { secret } = await invited();
    const guess = (address: string) => choose("A".repeat(43), CHOSEN, { address });
    const led = await Promise.all(
      Array.from({ length: WRONG_LINKS.limit + 5 }, () => guess("192.0.2.66")),
    );
    expect(led.filter((to) => to.endsWith("limited"))).toHaveLength(5);
    // Invalid links don't block a valid one from the same address.
    expect(await choose(secret, "short", { address: "192.0.2.66" })).toContain("problem=short");
    await app.database.orm.delete(signInAttempts);
    expect(app.logged("limit_hit")[0]).toMatchObject({ limit: "password_links" });
    for (let i = 0; i < WRONG_LINKS.limit; i++) await choose(secret, "short");
    expect(await choose(secret)).toContain("limited");
    await app.database.orm.delete(signInAttempts);
    expect(await choose(secret)).toBe("/signin/password/done");
  });

  test("is refused from another site, and for a malformed link", async () => {
    const { secret } = await invited();
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.example" },
      { "sec-fetch-site": "", origin: "https://evil.example" },
    ])
      expect(await choose(secret, CHOSEN, { headers })).toBe("403");
    for (const odd of ["", "../../x", `${secret}x`, "a\0b", "%0d%0aSet-Cookie:x"]) {
      expect(await choose(odd)).toBe("/signin/password/missing");
    }
    expect(await readPasswordLink(runtime, secret)).toMatchObject({ state: "open" });
  });
});

describe("a change", () => {
  test("replaces manual grants; unchanged ones keep their author and date", async ({ app }) => {
    const { id } = await invited();
    await app.addPerson("cy@example.com", "administrator");
    const cy = createBrowser(runtime);
    await cy.signIn("cy@example.com");
    const answer = await change(
      id,
      {
        name: "Bo L.",
        grants: [
          { role: "operator", company: "harbour" },
          { role: "viewer", company: "northgate" },
        ],
      },
      cy,
    );
    const changed = PersonEntry.parse(await answer.json());
    expect(changed.name).toBe("Bo L.");
    expect(changed.grants.map(({ company, role, because }) => [company, role, because])).toEqual([
      ["harbour", "operator", expect.objectContaining({ by: "cy@example.com" })],
      ["northgate", "viewer", expect.objectContaining({ by: "ana@example.com" })],
    ]);
    expect((await logged(app)).slice(-2)).toMatchObject([
      { event: "rename" },
      {
        event: "grant",
        because: "viewer at Northgate Builders → operator at Harbour, viewer at Northgate Builders",
        by: "cy@example.com",
      },
    ]);
  });

  test("without effect is not logged", async ({ app }) => {
    const { id } = await invited();
    const before = await logged(app);
    await change(id, {
      name: "Bo Lind",
      disabled: false,
      grants: [{ role: "viewer", company: "northgate" }],
    });
    await endSessions(id);
    expect(await logged(app)).toEqual(before);
  });

  test("takes effect within seconds on every instance", async ({ app }) => {
    const id = await app.addPerson("op@example.com", "administrator");
    const elsewhere = app.anotherInstance();
    const op = createBrowser(elsewhere);
    await op.signIn("op@example.com");
    const may = async () => {
      const identity = await elsewhere.auth.identify((name) => op.jar.get(name));
      return identity.state === "known" ? identity.person.grants : identity.state;
    };
    expect(await may()).toEqual([{ role: "administrator", company: null }]);
    await change(id, { grants: [{ role: "viewer", company: "harbour" }] });
    await app.clock.advance(RECHECK_MS);
    expect(await may()).toEqual([{ role: "viewer", company: "harbour" }]);
    await change(id, { disabled: true });
    await app.clock.advance(RECHECK_MS);
    expect(await may()).toBe("anonymous");
    // Ended sessions stay ended.
    await change(id, { disabled: false });
    await app.clock.advance(RECHECK_MS);
    expect(await may()).toBe("anonymous");
  });

  test("ends sessions, and returns how many", async ({ app }) => {
    const id = await app.addPerson("cy@example.com", "viewer", ["northgate"]);
    const browsers = [createBrowser(runtime), createBrowser(runtime)];
    for (const browser of browsers) await browser.signIn("cy@example.com");
    expect(await (await endSessions(id)).json()).toEqual({ ended: 2 });
    await app.clock.advance(RECHECK_MS);
    for (const browser of browsers) expect(await isSignedIn(browser)).toBe(false);
    expect(await lastLogged(app)).toMatchObject({ event: "end-sessions", because: "2 sessions" });
    expect(app.logged("sessions_ended").at(-1)).toMatchObject({
      whom: id,
      sessions: "2",
      own: false,
    });
    expect(await (await endSessions(id)).json()).toEqual({ ended: 0 });
  });

  test("returns 404 for an unknown person", async () => {
    for (const id of ["x", "00000000-0000-4000-8000-000000000000"]) {
      const answers = await Promise.all([change(id, {}), reset(id), endSessions(id)]);
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    }
  });

  test("keeps a company that has left, but can't add one", async ({ app }) => {
    const { id } = await invited();
    await app.database.orm.update(grants).set({ company: "gone" }).where(eq(grants.personId, id));
    const give = (company: string) => change(id, { grants: [{ role: "viewer", company }] });
    expect((await give("gone")).status).toBe(200);
    expect((await give("quarry")).status).toBe(400);
  });
});

describe("the last administrator", () => {
  const demoted = { grants: [{ role: "viewer", company: "northgate" }] };

  test("can't be disabled or demoted, even if others are administrators by rule", async ({
    app,
  }) => {
    await app.addPerson("op@example.com", "operator", [null]);
    const disabled = await app.addPerson("cy@example.com", "administrator");
    await change(disabled, { disabled: true });
    // An unused invitation doesn't count as a person who can sign in.
    await invited({ grants: [{ role: "administrator", company: null }] });
    const before = await logged(app);
    for (const body of [demoted, { grants: [] }, { disabled: true }, { name: "x", ...demoted }]) {
      expect((await change(anaId, body)).status).toBe(409);
    }
    expect(await entry("ana@example.com")).toMatchObject({
      name: "ana@example.com",
      status: "active",
      is_first_administrator: false,
    });
    expect(await logged(app)).toEqual(before);
  });

  test("isn't replaced by one who can't sign in here", async ({ app }) => {
    await app.database.orm.insert(people).values(
      ["https://id.example", "https://earlier-provider.example"].map((issuer) => ({
        email: `${new URL(issuer).hostname}@example.com`,
        name: issuer,
        issuer,
        subject: "1",
        claims: {},
      })),
    );
    const elsewhere = await app.database.orm.select().from(people).where(isNotNull(people.issuer));
    const [now, earlier] = ["https://id.example", "https://earlier-provider.example"].map(
      (issuer) => elsewhere.find((person) => person.issuer === issuer)?.id ?? "",
    );
    const administrator = { grants: [{ role: "administrator", company: null }] };
    await change(earlier ?? "", administrator);
    expect((await change(anaId, { disabled: true })).status).toBe(409);
    await app.addPerson("cy@example.com", "administrator");
    local.who = "off";
    expect((await change(anaId, { disabled: true })).status).toBe(409);
    expect((await change(anaId, demoted)).status).toBe(409);
    await change(now ?? "", administrator);
    expect((await change(now ?? "", demoted)).status).toBe(409);
    local.who = "administrators";
    expect((await change(now ?? "", demoted)).status).toBe(200);
    expect((await change(anaId, { disabled: true })).status).toBe(200);
  });

  test("who ends or disables themselves is signed out of this browser too", async ({ app }) => {
    await app.addPerson("cy@example.com", "administrator");
    const cy = createBrowser(runtime);
    await cy.signIn("cy@example.com");
    const cyId = (await entry("cy@example.com"))?.id ?? "";
    const cleared = (answer: Response) => answer.headers.get("clear-site-data");
    expect(cleared(await change(cyId, { name: "Cy" }, cy))).toBeNull();
    expect(cleared(await endSessions(anaId, cy))).toBeNull();
    expect(cleared(await endSessions(cyId, cy))).toBe('"cache", "storage"');
    await cy.signIn("cy@example.com");
    expect(cleared(await change(cyId, { disabled: true }, cy))).toBe('"cache", "storage"');
    expect(cy.jar.has("next-auth.session-token")).toBe(false);
  });

  test("can't disable or demote the first administrator, even with other administrators", async ({
    app,
  }) => {
    runtime.config.adminEmail = "ana@example.com";
    await app.addPerson("cy@example.com", "administrator");
    const cy = createBrowser(runtime);
    await cy.signIn("cy@example.com");
    const before = await logged(app);
    for (const body of [demoted, { grants: [] }, { disabled: true }, { name: "x", ...demoted }]) {
      const answer = await change(anaId, body, cy);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({
        error: "conflict",
        error_description: expect.stringContaining("first administrator (ADMIN_EMAIL)") as unknown,
      });
    }
    expect(await logged(app)).toEqual(before);
    expect(await entry("ana@example.com")).toMatchObject({ is_first_administrator: true });
    // Their other grants change like those of other people.
    const more = [
      { role: "administrator", company: null },
      { role: "viewer", company: "northgate" },
    ];
    expect((await change(anaId, { name: "Ana", grants: more }, cy)).status).toBe(200);
  });

  test("is kept when two demote or disable each other concurrently", async ({ app }) => {
    for (const body of [demoted, { disabled: true }]) {
      const cyId = await app.addPerson(
        `cy-${JSON.stringify(body).length}@example.com`,
        "administrator",
      );
      const cy = createBrowser(runtime);
      await cy.signIn(`cy-${JSON.stringify(body).length}@example.com`);
      const both = await Promise.all([change(cyId, body), change(anaId, body, cy)]);
      const [done, refused] = both.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(done).toBe(200);
      // The second request comes from a person who is signed out or no longer an administrator.
      expect([401, 403, 404, 409]).toContain(refused);
      const [winner] = both[0]?.status === 200 ? [anaId] : [cyId];
      expect((await list("", winner === anaId ? ana : cy)).data).not.toEqual([]);
      await app.database.orm.delete(grants).where(eq(grants.personId, cyId));
      await app.database.orm.delete(grants).where(eq(grants.personId, anaId));
      await app.database.orm.insert(grants).values({ personId: anaId, role: "administrator" });
      await app.database.orm.update(people).set({ disabledAt: null }).where(eq(people.id, anaId));
      await ana.signIn("ana@example.com");
    }
  });

  test("may be removed while a rule makes another one, and not without", async ({ app }) => {
    await app.database.orm.insert(people).values({
      email: "ana@example.com",
      name: "Ana of the provider",
      issuer: "https://id.example",
      subject: "1",
      claims: { groups: ["admins"] },
    });
    access.replace([
      { claim: "groups", value: "admins", isGlob: false, role: "administrator", companies: null },
    ]);
    expect((await list("?which=administrators")).data).toMatchObject([
      {
        name: "Ana of the provider",
        kind: "oidc",
        grants: [{ because: { kind: "rule", rule: 1 } }],
      },
      { name: "ana@example.com", kind: "local" },
    ]);
    const { id = "" } = (await list()).data.find(({ kind }) => kind === "oidc") ?? {};
    expect((await reset(id)).status).toBe(409);
    // The other may no longer exist at the provider: only people who signed in lately count.
    expect((await change(anaId, demoted)).status).toBe(409);
    const secret = await runtime.auth.sessions.start(id, "192.0.2.7");
    await runtime.auth.sessions.end(secret);
    await app.database.orm
      .update(sessions)
      .set({ createdAt: new Date(app.databaseNowMs() - 31 * 24 * 3_600_000) })
      .where(eq(sessions.personId, id));
    expect((await change(anaId, { disabled: true })).status).toBe(409);
    await runtime.auth.sessions.start(id, "192.0.2.7");
    const cy = await app.addPerson("cy@example.com", "administrator");
    expect((await change(cy, demoted)).status).toBe(200);
    access.replace([]);
    expect((await change(anaId, demoted)).status).toBe(409);
    access.replace([
      { claim: "groups", value: "admins", isGlob: false, role: "administrator", companies: null },
    ]);
    expect((await change(anaId, demoted)).status).toBe(200);
    await app.database.orm.delete(grants).where(eq(grants.personId, anaId));
    await app.database.orm.insert(grants).values({ personId: anaId, role: "administrator" });
    access.replace([]);
    await app.clock.advance(RECHECK_MS);
    await change(id, { grants: [{ role: "administrator", company: null }] });
    expect((await change(anaId, demoted)).status).toBe(200);
  });
});

describe("the list", () => {
  test("searches by name and address, pages and counts", async ({ app }) => {
    await app.database.orm.insert(people).values(
      Array.from({ length: 999 }, (_, i) => ({
        name: i === 500 ? "Jonas Krüger" : `Person ${String(i).padStart(3, "0")}`,
        email: `p${i}@example.com`,
        disabledAt: i < 10 ? new Date() : null,
      })),
    );
    expect((await list()).counts).toEqual({ active: 1, invited: 989, disabled: 10 });
    const last = await list("?page=20&per_page=50");
    expect(last.meta).toEqual({ page: 20, per_page: 50, total_count: 1_000, total_pages: 20 });
    expect(last.data.at(-1)?.name).toBe("Person 998");
    expect((await list("?q=krug+jon")).data.map(({ name }) => name)).toEqual(["Jonas Krüger"]);
    expect((await list("?q=P7%40example")).data.map(({ name }) => name)).toEqual(["Person 007"]);
    expect((await list("?which=disabled")).meta.total_count).toBe(10);
    expect((await list("?page=21")).data).toEqual([]);
    expect((await ana.send(listRoute.GET, "/api/people?which=x")).status).toBe(400);
  });
});

test("keeps the installation's audit chain intact", async ({ app }) => {
  const checks = await checkAudit(app.database, {
    keys: new Map(TEST_KEYS.known),
  });
  expect(checks.find(({ company }) => company === INSTALLATION)).toMatchObject({ broken: null });
});
