import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, test, type Browser, type Page } from "@playwright/test";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import type { Grant } from "@/lib/domain/rights";
import type { EventDetail } from "@/lib/domain/incidents/event-detail";
import { hashPassword } from "@/lib/server/auth/passwords";
import { startLyingIssuer, type LyingIssuer } from "@/lib/server/gate/issuer-fixture";
import { createPerson } from "@/lib/server/store/people/people";
import { ADMIN, AMPLE_BUDGET, connectedToAll, onRecord, startApp, type App } from "./app";
import { freePort } from "./identity-provider";
import { sampleFiles, sampleRows } from "./upstream/sample-rows";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { HOUR_MS } from "@/lib/domain/time/units";

// Revocation on one instance takes effect on the other, with a page open there; and the heartbeat
// and incidents fail over when the polling instance hangs or is killed.

/** The guaranteed limit, from the response to the change. */
const WITHIN_MS = 5_000;
const COMPANIES = ["northgate", "harbour"] as const;

let folder: string;
let accessFile: string;
let issuer: LyingIssuer;
let upstreams: Record<string, MisbehavingUpstream>;
let first: App;
let second: App;
let receiver: Server;
/** The path of each heartbeat: which instance sent it, and whether it reported success. */
let beats: string[] = [];
const ids = new Map<string, string>();

const LOCAL_PEOPLE: Readonly<Record<string, readonly Grant[]>> = {
  demoted: [{ role: "operator", company: "northgate" }],
  disabled: [{ role: "member", company: "northgate" }],
  ended: [{ role: "viewer", company: "northgate" }],
  leaving: [{ role: "viewer", company: "northgate" }],
};
const emailOf = (name: string) => `${name}@example.com`;

/** Names unique to one company, in everything that the API names. */
const canary = (company: string, what: string) => `${company}-canary-${what}`;

/** A company's endpoints, the first ones stale and the others on time. */
const rowsOf = (company: string, stale = 0): ServedSyncStatus[] =>
  sampleRows(3, Date.now()).map(({ attributes, ...row }, index) => ({
    ...row,
    id: `${canary(company, "id")}-${row.id}`,
    attributes: {
      ...attributes,
      endpoint_key: `${canary(company, "endpoint")}-${attributes.endpoint_key}`,
      partner_name: canary(company, "partner"),
      ...(index < stale && { last_updated_at: new Date(Date.now() - 10 * HOUR_MS).toISOString() }),
    },
  }));

function upstreamOf(company: string): Promise<MisbehavingUpstream> {
  const files = sampleFiles(3, Date.now()).map((file) => ({
    ...file,
    name: `${canary(company, "file")}-${file.name}`,
    customer_project: file.customer_project && {
      ...file.customer_project,
      name: canary(company, "project"),
    },
  }));
  return startMisbehavingUpstream({ rows: rowsOf(company), files });
}

function writeRules(companies: readonly string[]): void {
  const rules = [{ claim: "groups", equals: "cs", role: "member", companies }];
  writeFileSync(accessFile, JSON.stringify({ rules }));
}

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-two-"));
  accessFile = path.join(folder, "access.json");
  writeRules(["northgate"]);
  issuer = await startLyingIssuer();
  upstreams = Object.fromEntries(
    await Promise.all(COMPANIES.map(async (company) => [company, await upstreamOf(company)])),
  ) as Record<string, MisbehavingUpstream>;
  receiver = createServer((request, response) => {
    beats.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const port = await freePort();
  const env = {
    ...connectedToAll(path.join(folder, "connections.json"), upstreams),
    ...AMPLE_BUDGET,
    APP_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_CLIENT_SECRET: issuer.clientSecret,
    OIDC_NAME: "Example ID",
    ACCESS_FILE: accessFile,
    HEARTBEAT_SECONDS: "2",
  };
  first = await startApp({ ...env, PORT: String(port), HEARTBEAT_URL: `${receiverUrl}/first` });
  second = await startApp({ ...env, HEARTBEAT_URL: `${receiverUrl}/second` }, first.dataDir);
  const passwordHash = await hashPassword(ADMIN.password);
  await onRecord(first, async ({ orm }) => {
    for (const [name, grants] of Object.entries(LOCAL_PEOPLE))
      ids.set(name, await createPerson(orm, { email: emailOf(name), name, grants, passwordHash }));
  });
});
test.afterAll(async () => {
  // A test that failed may have left it stopped.
  first.process.kill("SIGCONT");
  await second.end();
  await first.end();
  receiver.close();
  await issuer.close();
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
  rmSync(folder, { recursive: true, force: true });
});

const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .filter((cookie) => !/Max-Age=0/i.test(cookie))
    .map((cookie) => cookie.split(";")[0]);

async function csrf(cookie = ""): Promise<{ csrfToken: string; cookies: string[] }> {
  const answer = await fetch(`${first.address}/api/auth/csrf`, { headers: { cookie } });
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  return { csrfToken, cookies: cookiesOf(answer) as string[] };
}

function post(address: string, cookies: readonly string[], fields: Record<string, string>) {
  return fetch(`${first.address}/api/auth/${address}`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookies.join("; "), origin: first.address },
    body: new URLSearchParams({ ...fields, json: "true" }),
  });
}

/** @returns the cookie of a session started at the first instance */
async function signIn(email: string): Promise<string> {
  const { csrfToken, cookies } = await csrf();
  const { password } = ADMIN;
  const answer = await post("callback/credentials", cookies, { email, password, csrfToken });
  expect(answer.status).toBe(200);
  return sessionIn(answer);
}

async function signInAtProvider(person: Record<string, unknown>): Promise<string> {
  issuer.person = person;
  const { csrfToken, cookies } = await csrf();
  const left = await post("signin/oidc", cookies, { csrfToken, callbackUrl: "/" });
  const { url } = (await left.json()) as { url: string };
  const back = issuer.agree(url);
  const answer = await fetch(back, {
    redirect: "manual",
    headers: { cookie: [...cookies, ...cookiesOf(left)].join("; ") },
  });
  expect(answer.headers.get("location")).toBe("/");
  return sessionIn(answer);
}

const sessionIn = (answer: Response) =>
  cookiesOf(answer).find((cookie) => cookie?.startsWith("next-auth.session-token=")) ?? "";

/** Sends a request as an administrator to the first instance. @returns the response text */
async function change(method: string, address: string, body?: object): Promise<string> {
  const answer = await fetch(`${first.address}${address}`, {
    method,
    headers: {
      cookie: await signIn(ADMIN.email),
      origin: first.address,
      "content-type": "application/json",
    },
    body: JSON.stringify(body ?? {}),
  });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return text;
}

const statusAt = async (app: App, cookie: string, company = "northgate") =>
  (
    await fetch(`${app.address}/api/companies/${company}/sync-status`, {
      headers: { cookie },
      redirect: "manual",
    })
  ).status;

/** Opens the board at the second instance with a session. */
async function openBoard(browser: Browser, cookie: string): Promise<Page> {
  const context = await browser.newContext();
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: second.address }]);
  const page = await context.newPage();
  await page.goto(`${second.address}/northgate`);
  await expect(page.getByText(canary("northgate", "partner")).first()).toBeVisible();
  return page;
}

type Case = { who: string; act: (cookie: string) => Promise<unknown>; status: number };

const CASES: readonly Case[] = [
  {
    who: "demoted",
    act: () =>
      change("PATCH", `/api/people/${ids.get("demoted")}`, {
        grants: [{ role: "viewer", company: "harbour" }],
      }),
    status: 404,
  },
  {
    who: "disabled",
    act: () => change("PATCH", `/api/people/${ids.get("disabled")}`, { disabled: true }),
    status: 401,
  },
  {
    who: "ended",
    act: () => change("DELETE", `/api/people/${ids.get("ended")}/sessions`),
    status: 401,
  },
  {
    who: "leaving",
    async act(cookie) {
      const { csrfToken, cookies } = await csrf(cookie);
      expect((await post("signout", [cookie, ...cookies], { csrfToken })).status).toBe(200);
    },
    status: 401,
  },
  {
    who: "logged out there",
    async act() {
      const answer = await fetch(`${first.address}/api/auth/backchannel-logout`, {
        method: "POST",
        body: new URLSearchParams({ logout_token: await issuer.logoutToken({ sid: "there-1" }) }),
      });
      expect(answer.status).toBe(200);
    },
    status: 401,
  },
  {
    who: "no longer in a group",
    act: async () => writeRules(["harbour"]),
    status: 404,
  },
];

const sessionOf = ({ who }: Case) =>
  LOCAL_PEOPLE[who] === undefined
    ? signInAtProvider({
        sub: who,
        sid: who === "logged out there" ? "there-1" : who,
        groups: ["cs"],
      })
    : signIn(emailOf(who));

for (const one of CASES) {
  test(`signs ${one.who} out at the other instance within 5 s, and informs an open page`, async ({
    browser,
  }) => {
    await expect.poll(() => statusAt(second, "")).toBe(401);
    const cookie = await sessionOf(one);
    await expect.poll(() => statusAt(second, cookie)).toBe(200);
    const page = await openBoard(browser, cookie);
    await one.act(cookie);
    const refused = (app: App) =>
      expect
        .poll(() => statusAt(app, cookie), { timeout: WITHIN_MS, intervals: [250] })
        .toBe(one.status);
    await Promise.all([refused(first), refused(second)]);
    const notice =
      one.status === 401
        ? page.getByRole("region", { name: "Session" })
        : page.getByText("This page doesn’t exist, or you don’t have access to it.");
    await expect(notice).toBeVisible();
    // A new request gets no data.
    const again = await page.request.get(`${second.address}/northgate`, { maxRedirects: 0 });
    expect(await again.text()).not.toContain("northgate-canary");
    await page.context().close();
  });
}

test("hides a revoked share link at the other instance within 5 s, including an open page", async ({
  browser,
}) => {
  const links = "/api/companies/northgate/links";
  const partner = canary("northgate", "partner");
  const { id, url } = JSON.parse(await change("POST", links, { partner, shows: "both" })) as {
    id: string;
    url: string;
  };
  const { pathname } = new URL(url);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${second.address}${pathname}`);
  await expect(page.getByText(partner).first()).toBeVisible();
  await change("DELETE", `${links}/${id}`);
  const ended = (app: App) =>
    expect
      .poll(async () => (await fetch(`${app.address}${pathname}`)).text(), {
        timeout: WITHIN_MS,
        intervals: [250],
      })
      .not.toContain("northgate-canary");
  await Promise.all([ended(first), ended(second)]);
  await expect(page.locator("h1")).toContainText("This link was revoked on", { timeout: 40_000 });
  expect(await page.content()).not.toContain("northgate-canary");
  await context.close();
});

test("logs no names from a company's API, and shows them to no people of another company", async () => {
  writeRules(["northgate"]);
  const theirs = await signInAtProvider({ sub: "canary", groups: ["cs"] });
  const administrator = await signIn(ADMIN.email);
  const get = async (app: App, address: string, cookie: string) => {
    const headers = { cookie };
    return (await fetch(`${app.address}${address}`, { headers, redirect: "manual" })).text();
  };
  const waysOut = COMPANIES.flatMap((company) => [
    `/${company}`,
    `/${company}/schedules`,
    `/${company}/schedules/1`,
    `/${company}/activity`,
    `/${company}/api-calls`,
    `/${company}/wall`,
    `/${company}/partners/${canary(company, "partner")}`,
    `/${company}/%ff`,
    `/api/companies/${company}/sync-status`,
    `/api/companies/${company}/schedule-files?per_page=100`,
    `/api/companies/${company}/schedule-files/1`,
    `/api/companies/${company}/schedule-files/facets`,
    `/api/companies/${company}/schedule-files?q=${canary(company, "file")}`,
    `/api/companies/${company}/activity/csv`,
    `/api/companies/${company}/api-calls/csv`,
    `/api/companies/${company}/history`,
    `/api/wall/companies/${company}/sync-status`,
  ]).concat("/", "/wall", "/wall/plain", "/settings/me", "/api/me", "/api/wall", "/api/companies");
  await expect.poll(() => statusAt(second, theirs)).toBe(200);
  // Both companies have data before access to it is refused.
  for (const company of COMPANIES) {
    const files = `/api/companies/${company}/schedule-files?per_page=100`;
    await expect
      .poll(() => get(second, files, administrator), { timeout: 20_000 })
      .toContain(canary(company, "file"));
  }
  const seen: string[] = [];
  for (const app of [first, second]) {
    for (const address of waysOut) {
      const body = await get(app, address, theirs);
      // Text that the client put into the address may be repeated.
      const searched = /harbour-canary-\w+/.exec(address)?.[0];
      const rest = searched === undefined ? body : body.replaceAll(searched, "");
      expect.soft(rest.includes("harbour-canary"), address).toBe(false);
      if (body.includes("northgate-canary")) seen.push(address);
    }
  }
  expect(seen.length).toBeGreaterThan(10);
  for (const app of [first, second])
    expect(
      app
        .output()
        .split("\n")
        // Rows of the audit log say what was shared or deleted, and so name it.
        .filter((line) => line.includes("-canary-") && !line.includes('"msg":"audit row"')),
    ).toEqual([]);
});

test("signs the first administrator in while the provider hangs, without waiting for it", async () => {
  const before = { ...issuer.requests };
  issuer.lies.answers = () => {};
  try {
    expect(await signIn(ADMIN.email)).toContain("next-auth.session-token=");
    expect(issuer.requests).toEqual(before);
  } finally {
    issuer.lies.answers = null;
  }
});

/** Events in Northgate's incidents, observed live or later. */
const happened = (app: App) =>
  onRecord(app, async ({ pool }) => {
    const { rows } = await pool.query<{ id: number; kind: string; detail: EventDetail }>(
      `select incident_id as id, kind, detail from incident_events
       where company = 'northgate' and kind <> 'blind' order by incident_id, seq`,
    );
    return rows.flatMap(({ id, kind, detail }) =>
      (kind === "seen_again" ? (detail.changes ?? []) : [{ kind }]).map(
        (one) => `${id} ${one.kind}`,
      ),
    );
  });

test("continues heartbeat and incidents at the other instance when the leader hangs or is killed, and stops a leader that wakes up", async () => {
  const { northgate } = upstreams;
  const senders = () => new Set(beats.map((beat) => beat.replace(/\/fail$/, "")));
  /** Waits for this many heartbeats, from this instance only, and until one reports success. */
  const beatsOnlyOf = async (who: string, amount: number) => {
    beats = [];
    await expect.poll(() => beats.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(amount);
    // Polling each second, a company is blind after five, so the first one after a takeover may report that.
    await expect.poll(() => beats.at(-1), { timeout: 60_000 }).toBe(who);
    expect(senders()).toEqual(new Set([who]));
  };
  await beatsOnlyOf("/first", 1);

  first.process.kill("SIGSTOP");
  northgate?.setRows(rowsOf("northgate", 1));
  // When the first one wakes up, its own next heartbeat is overdue.
  await beatsOnlyOf("/second", 2);
  await expect.poll(() => happened(second)).toEqual(["1 opened"]);
  northgate?.setRows(rowsOf("northgate"));
  await expect.poll(() => happened(second)).toEqual(["1 opened", "1 left"]);

  first.process.kill("SIGCONT");
  await expect.poll(() => first.output().includes("leadership was lost")).toBe(true);
  expect(await statusAt(first, "")).toBe(401);
  expect(senders()).toEqual(new Set(["/second"]));
  await beatsOnlyOf("/second", 2);
  expect(await happened(second)).toEqual(["1 opened", "1 left"]);

  await second.end("SIGKILL");
  northgate?.setRows(rowsOf("northgate", 1));
  await beatsOnlyOf("/first", 2);
  await expect.poll(() => happened(first)).toEqual(["1 opened", "1 left", "1 flapped"]);
});
