import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { eq, inArray } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import { hasRight, type Grant, type Right, type Role } from "@/lib/domain/rights";
import { hashPassword } from "@/lib/server/auth/passwords";
import { createPerson } from "@/lib/server/store/people/people";
import { people, sessions } from "@/lib/server/store/schema/people";
import { ADMIN, demoApp, onRecord } from "./app";

// Access by principal, address and method: each folder under `app/` with a handler has a row here.

const COMPANY = "northgate";
const ELSEWHERE = "harbour";
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof METHODS)[number];

/**
 * The permission that each method of an address needs, and the status with it: a mutation's body is
 * empty here, so it is refused as invalid and changes nothing.
 */
type Row = {
  may: Partial<Record<Method, Right | null>>;
  statuses: Partial<Record<Method, number>>;
  /** Methods that always require a sign-in within the hour. */
  needsProof?: readonly Method[];
  /** The body of mutations; default: an empty object. */
  body?: string;
};

const seen = (GET = 200): Row => ({ may: { GET: "view" }, statuses: { GET } });

/** Under `/api/companies/[company]`. Catch-all segments name nothing that exists. */
const OF_COMPANY: Readonly<Record<string, Row>> = {
  "/activity": seen(),
  "/activity/csv": seen(),
  "/allowances": seen(),
  "/allowances/[partner]": {
    may: { PUT: "handle-incidents", DELETE: "handle-incidents" },
    statuses: { PUT: 404, DELETE: 404 },
  },
  "/api-calls": seen(),
  "/api-calls/csv": seen(),
  "/calendars": {
    may: { GET: "share-links", POST: "share-links" },
    statuses: { GET: 200, POST: 400 },
    body: '{"note":1}',
  },
  "/calendars/[id]": { may: { DELETE: "share-links" }, statuses: { DELETE: 404 } },
  "/care": {
    may: { GET: "view", PUT: "handle-incidents" },
    statuses: { GET: 200, PUT: 400 },
  },
  "/changes": seen(400),
  "/deletions": {
    may: { GET: "view", POST: "delete-files" },
    statuses: { GET: 200, POST: 400 },
  },
  "/deletions/[deletion]": seen(404),
  "/deletions/[deletion]/csv": seen(404),
  "/deletions/[deletion]/stop": { may: { POST: "delete-files" }, statuses: { POST: 404 } },
  "/deletions/[deletion]/undo": { may: { POST: "delete-files" }, statuses: { POST: 404 } },
  "/endpoints/[endpoint]": seen(404),
  "/endpoints/[endpoint]/learned-week": {
    may: { GET: "view", PUT: "handle-incidents" },
    statuses: { GET: 404, PUT: 404 },
  },
  "/endpoints/[endpoint]/runs": seen(404),
  "/expectations": {
    may: { GET: "view", POST: "handle-incidents" },
    statuses: { GET: 200, POST: 400 },
  },
  "/expectations/[id]": { may: { DELETE: "handle-incidents" }, statuses: { DELETE: 404 } },
  "/history": seen(),
  "/incidents": seen(),
  "/incidents/csv": seen(),
  "/incidents/[id]": seen(404),
  "/incidents/[id]/acknowledgement": {
    may: { PUT: "handle-incidents", DELETE: "handle-incidents" },
    statuses: { PUT: 404, DELETE: 404 },
  },
  "/incidents/[id]/notes": { may: { POST: "handle-incidents" }, statuses: { POST: 404 } },
  "/incidents/[id]/owner": { may: { PUT: "handle-incidents" }, statuses: { PUT: 404 } },
  "/integrations": seen(),
  "/integrations/[partner_token_id]": {
    may: { PUT: "handle-incidents", DELETE: "handle-incidents" },
    statuses: { PUT: 404, DELETE: 404 },
  },
  "/last-look": { may: { GET: "view", PUT: "view" }, statuses: { GET: 200, PUT: 200 } },
  "/links": {
    may: { GET: "share-links", POST: "share-links" },
    statuses: { GET: 200, POST: 400 },
  },
  "/links/[id]": {
    may: { PATCH: "share-links", DELETE: "share-links" },
    statuses: { PATCH: 404, DELETE: 404 },
  },
  "/partners/[partner]": seen(404),
  "/partners/[partner]/at": seen(400),
  "/promises": {
    may: { GET: "view", POST: "handle-incidents" },
    statuses: { GET: 200, POST: 400 },
  },
  "/promises/[id]": {
    may: { PATCH: "handle-incidents", DELETE: "handle-incidents" },
    statuses: { PATCH: 404, DELETE: 404 },
  },
  "/promises/csv": seen(),
  "/promises/import": { may: { POST: "handle-incidents" }, statuses: { POST: 400 } },
  "/promises/kept": seen(),
  "/promises/rehearsal": { may: { POST: "handle-incidents" }, statuses: { POST: 400 } },
  "/report": seen(),
  "/report/csv": seen(),
  "/report/days": seen(),
  "/schedule-files": seen(),
  "/schedule-files/[id]": seen(404),
  "/schedule-files/csv": seen(),
  "/schedule-files/facets": seen(),
  "/schedule-files/selection": seen(),
  "/schedule-projects": seen(),
  "/sync-status": seen(),
  "/sync-status/csv": seen(),
};

/** For people, without a company. */
const OF_PEOPLE: Readonly<Record<string, Row>> = {
  "/api/activity": { may: { GET: "manage-people" }, statuses: { GET: 200 } },
  "/api/activity/csv": { may: { GET: "manage-people" }, statuses: { GET: 200 } },
  "/api/changes": { may: { GET: null }, statuses: { GET: 400 } },
  "/api/channels": {
    may: { GET: "manage-channels", POST: "manage-channels" },
    statuses: { GET: 200, POST: 400 },
    needsProof: ["POST"],
  },
  "/api/channels/[id]": {
    may: { PUT: "manage-channels", PATCH: "manage-channels", DELETE: "manage-channels" },
    statuses: { PUT: 404, PATCH: 404, DELETE: 404 },
    needsProof: ["PUT", "PATCH", "DELETE"],
  },
  "/api/channels/[id]/test": { may: { POST: "manage-channels" }, statuses: { POST: 404 } },
  "/api/companies": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/connections": {
    may: { GET: "manage-connections", POST: "manage-connections" },
    statuses: { GET: 200, POST: 400 },
    needsProof: ["POST"],
  },
  "/api/connections/check": {
    may: { POST: "manage-connections" },
    statuses: { POST: 400 },
    needsProof: ["POST"],
  },
  "/api/connections/import": {
    may: { POST: "manage-connections" },
    statuses: { POST: 400 },
    needsProof: ["POST"],
  },
  "/api/connections/[slug]": {
    may: { PATCH: "manage-connections", DELETE: "manage-connections" },
    statuses: { PATCH: 404, DELETE: 404 },
    needsProof: ["PATCH", "DELETE"],
  },
  "/api/connections/[slug]/check": {
    may: { POST: "manage-connections" },
    statuses: { POST: 404 },
    needsProof: ["POST"],
  },
  "/api/displays": {
    may: { GET: "manage-displays", POST: "manage-displays" },
    statuses: { GET: 200, POST: 400 },
  },
  "/api/displays/[id]": { may: { PATCH: "manage-displays" }, statuses: { PATCH: 404 } },
  "/api/displays/[id]/reload": { may: { POST: "manage-displays" }, statuses: { POST: 404 } },
  "/api/displays/[id]/revoke": {
    may: { POST: "manage-displays" },
    statuses: { POST: 404 },
    needsProof: ["POST"],
  },
  "/api/fleet-incidents": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/fleet-incidents/[id]": { may: { GET: null }, statuses: { GET: 404 } },
  "/api/fleet-incidents/[id]/acknowledgement": {
    may: { PUT: null, DELETE: null },
    statuses: { PUT: 404, DELETE: 404 },
  },
  "/api/fleet-incidents/[id]/notes": { may: { POST: null }, statuses: { POST: 404 } },
  "/api/fleet-incidents/[id]/owner": { may: { PUT: null }, statuses: { PUT: 404 } },
  "/api/incidents": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/links": { may: { GET: null }, statuses: { GET: 200 } },
  // Only with a token.
  "/api/mcp": { may: { POST: null }, statuses: { POST: 401 } },
  "/api/me": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/openapi.json": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/partners": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/partners/[partner]": { may: { GET: null }, statuses: { GET: 404 } },
  "/api/partners/[partner]/days": { may: { GET: null }, statuses: { GET: 404 } },
  "/api/partners/[partner]/paragraphs": { may: { GET: null }, statuses: { GET: 404 } },
  "/api/partners/[partner]/paragraphs/csv": { may: { GET: null }, statuses: { GET: 404 } },
  "/api/deliveries": { may: { GET: "manage-rules" }, statuses: { GET: 200 } },
  "/api/me/alarm-load": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/me/alerts": { may: { GET: null, PUT: null }, statuses: { GET: 200, PUT: 400 } },
  "/api/me/alerts/rehearsal": { may: { POST: null }, statuses: { POST: 400 } },
  "/api/me/inbox": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/me/inbox/read": { may: { POST: null }, statuses: { POST: 400 } },
  "/api/me/handover": { may: { GET: null, POST: null }, statuses: { GET: 200, POST: 400 } },
  "/api/me/last-look": { may: { GET: null, PUT: null }, statuses: { GET: 200, PUT: 200 } },
  "/api/me/password": { may: { PUT: null }, statuses: { PUT: 400 } },
  "/api/me/second-factor": {
    may: { POST: null, PUT: null, DELETE: null },
    statuses: { POST: 201, PUT: 400, DELETE: 400 },
    needsProof: ["POST", "PUT", "DELETE"],
  },
  "/api/me/second-factor/recovery-codes": {
    may: { POST: null },
    statuses: { POST: 409 },
    needsProof: ["POST"],
  },
  "/api/me/reauthentication": { may: { POST: null }, statuses: { POST: 400 } },
  "/api/me/slack": { may: { GET: null, POST: null }, statuses: { GET: 200, POST: 400 } },
  "/api/me/slack/[id]": { may: { DELETE: null }, statuses: { DELETE: 404 } },
  "/api/me/tokens": {
    may: { GET: null, POST: null },
    statuses: { GET: 200, POST: 400 },
    needsProof: ["POST"],
  },
  "/api/me/tokens/[id]": { may: { DELETE: null }, statuses: { DELETE: 404 } },
  "/api/me/sessions": { may: { DELETE: null }, statuses: { DELETE: 200 } },
  "/api/me/sessions/[id]": { may: { DELETE: null }, statuses: { DELETE: 404 } },
  "/api/people": {
    may: { GET: "manage-people", POST: "manage-people" },
    statuses: { GET: 200, POST: 400 },
    needsProof: ["POST"],
  },
  "/api/people/[id]": {
    may: { PATCH: "manage-people" },
    statuses: { PATCH: 404 },
    needsProof: ["PATCH"],
  },
  "/api/people/[id]/reset": {
    may: { POST: "manage-people" },
    statuses: { POST: 404 },
    needsProof: ["POST"],
  },
  "/api/people/[id]/second-factor": {
    may: { DELETE: "manage-people" },
    statuses: { DELETE: 404 },
    needsProof: ["DELETE"],
  },
  "/api/people/[id]/sessions": {
    may: { DELETE: "manage-people" },
    statuses: { DELETE: 404 },
    needsProof: ["DELETE"],
  },
  "/api/rules": {
    may: { GET: "manage-rules", POST: "manage-rules" },
    statuses: { GET: 200, POST: 400 },
    needsProof: ["POST"],
  },
  "/api/rules/[id]": {
    may: { PUT: "manage-rules", PATCH: "manage-rules", DELETE: "manage-rules" },
    statuses: { PUT: 404, PATCH: 404, DELETE: 404 },
    needsProof: ["PUT", "PATCH", "DELETE"],
  },
  "/api/today": { may: { GET: null }, statuses: { GET: 200 } },
  "/api/rules/alarm-load": { may: { GET: "manage-rules" }, statuses: { GET: 200 } },
  // They store nothing, and omitted settings of a rule have defaults.
  "/api/rules/rehearsal/quieter": {
    may: { POST: "manage-rules" },
    statuses: { POST: 200 },
  },
  "/api/rules/rehearsal": { may: { POST: "manage-rules" }, statuses: { POST: 200 } },
  "/api/tokens": {
    may: { GET: "manage-people", POST: "manage-people" },
    statuses: { GET: 200, POST: 400 },
    needsProof: ["POST"],
  },
  "/api/tokens/[id]": { may: { DELETE: "manage-people" }, statuses: { DELETE: 404 } },
  "/api/demo": {
    may: { DELETE: "manage-connections" },
    statuses: { DELETE: 400 },
    needsProof: ["DELETE"],
    // An empty object would remove the demo.
    body: "[]",
  },
  "/api/pauses/[what]/resume": { may: { POST: "manage-connections" }, statuses: { POST: 404 } },
};

/** For screens and people who view a wall. */
const OF_WALLS: Readonly<Record<string, Row>> = {
  "/api/wall": seen(),
  "/api/wall/companies/[company]/incidents": seen(),
  "/api/wall/companies/[company]/sync-status": seen(),
  "/api/wall/report": { may: { POST: "view" }, statuses: { POST: 400 } },
};

/** Addresses with their own rules, which have their own tests. */
const OF_OTHERS = [
  "/api/auth/[...nextauth]",
  "/api/auth/backchannel-logout",
  "/api/health/live",
  "/api/health/ready",
  "/api/pair",
  "/api/previews/[preview]/[name]",
  "/api/v3/[[...path]]",
  "/calendar/[name]",
  "/metrics",
  "/pair/step",
  "/s/[token]",
  "/signin/password",
];

/** Pages of a company; not found without access. */
const COMPANY_PAGES = [
  "/[company]",
  "/[company]/[...missing]",
  "/[company]/activity",
  "/[company]/api-calls",
  "/[company]/incidents",
  "/[company]/incidents/[id]",
  "/[company]/partners/[partner]",
  "/[company]/partners/[partner]/[endpoint]",
  "/[company]/promises",
  "/[company]/report",
  "/[company]/schedules",
  "/[company]/schedules/[id]",
  "/[company]/wall",
];
/** Pages of people, by the permission that they need. */
const PEOPLE_PAGES: Readonly<Record<string, Right | null>> = {
  "/": null,
  "/companies": null,
  "/incidents": null,
  "/partners": null,
  "/partners/[partner]": null,
  "/settings": null,
  "/settings/[...missing]": null,
  "/settings/activity": "manage-people",
  "/settings/alerts": null,
  "/settings/channels": "manage-channels",
  "/settings/channels/slack": "manage-channels",
  "/settings/connections": "manage-connections",
  "/settings/connections/new": "manage-connections",
  "/settings/displays": "manage-displays",
  "/settings/links": null,
  "/settings/me": null,
  "/settings/people": "manage-people",
  "/settings/rules": "manage-rules",
  "/settings/tokens": null,
};
/** Public pages. */
const OPEN_PAGES = ["/pair", "/signin", "/signin/password/[secret]", "/wall", "/wall/plain"];
/** Addresses where a screen's credential counts. */
const isOfWalls = (address: string) => /^\/(?:api\/wall|[^/]+\/wall|wall)(?:[/?]|$)/.test(address);

/** The addresses of all files with a name under `app/`. */
function addressesOf(name: string): string[] {
  return readdirSync(path.resolve("app"), { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === name)
    .map((file) => `/${path.dirname(file)}`.replace(/\/\([^)]*\)/g, "").replace(/^\/?\.?$/, "/"))
    .toSorted();
}

test("has a row for every address and every page", () => {
  const rows = [
    ...Object.keys(OF_COMPANY).map((rest) => `/api/companies/[company]${rest}`),
    ...Object.keys(OF_PEOPLE),
    ...Object.keys(OF_WALLS),
    ...OF_OTHERS,
  ];
  expect(rows.toSorted()).toEqual(addressesOf("route.ts"));
  const pages = [...COMPANY_PAGES, ...Object.keys(PEOPLE_PAGES), ...OPEN_PAGES];
  expect(pages.toSorted()).toEqual(addressesOf("page.tsx"));
});

type Principal = {
  name: string;
  cookie: string;
  /** Null: no signed-in person. */
  grants: readonly Grant[] | null;
  /** Null: no screen. */
  screen: { shows: string; isPaired: boolean } | null;
  /** Further headers of their requests. */
  credentials?: Record<string, string>;
};

/** Signed in hours ago, without reauthentication since. */
const UNPROVEN = "unproven";

const app = demoApp();
const someone = (role: Role, company: string | null = COMPANY): Grant[] => [{ role, company }];
const PEOPLE: Readonly<Record<string, readonly Grant[]>> = {
  ungranted: [],
  elsewhere: someone("operator", ELSEWHERE),
  viewer: someone("viewer"),
  member: someone("member"),
  operator: someone("operator"),
  [UNPROVEN]: someone("administrator", null),
  administrator: someone("administrator", null),
};
/**
 * `link`, `incident link`: people with a share link to a partner or an incident, who send its token
 * wherever a credential could be read.
 */
const STRANGERS = ["anonymous", "disabled", "forged", "ended", "link", "incident link"] as const;
const SCREENS: Readonly<Record<string, NonNullable<Principal["screen"]>>> = {
  screen: { shows: COMPANY, isPaired: true },
  "other screen": { shows: ELSEWHERE, isPaired: true },
  "unpaired screen": { shows: COMPANY, isPaired: false },
};

let principals: readonly Principal[];
test.beforeAll(async () => {
  const passwordHash = await hashPassword(ADMIN.password);
  const run = randomUUID();
  const emailOf = (name: string) => `${name}.${run}@example.com`;
  await onRecord(app, async ({ orm }) => {
    for (const [name, grants] of Object.entries({
      ...PEOPLE,
      disabled: PEOPLE.administrator ?? [],
    }))
      await createPerson(orm, { email: emailOf(name), name, grants, passwordHash });
  });
  const cookies = new Map<string, string>([["forged", "next-auth.session-token=a.b.c.d.e"]]);
  for (const name of [...Object.keys(PEOPLE), "disabled"])
    cookies.set(name, await sessionOf(emailOf(name)));
  cookies.set("ended", await endedSessionOf(emailOf("administrator")));
  for (const [name, screen] of Object.entries(SCREENS))
    cookies.set(name, await pairedScreen(screen, cookies.get("administrator") ?? ""));
  await onRecord(app, ({ orm }) =>
    orm
      .update(people)
      .set({ disabledAt: new Date() })
      .where(eq(people.email, emailOf("disabled"))),
  );
  await onRecord(app, async ({ orm }) => {
    const theirs = orm
      .select({ id: people.id })
      .from(people)
      .where(eq(people.email, emailOf(UNPROVEN)));
    await orm
      .update(sessions)
      .set({ authenticatedAt: new Date(Date.now() - 2 * 3_600_000) })
      .where(inArray(sessions.personId, theirs));
  });
  principals = [...STRANGERS, ...Object.keys(SCREENS), ...Object.keys(PEOPLE)].map((name) => ({
    name,
    cookie: cookies.get(name) ?? "",
    grants: PEOPLE[name] ?? null,
    screen: SCREENS[name] ?? null,
  }));
  const tokens: Readonly<Record<string, string>> = {
    link: await sharedToken(await partnerOf(COMPANY)),
    "incident link": await sharedToken({ incident: await incidentOf(COMPANY) }),
  };
  principals = principals.map((principal) => {
    const token = tokens[principal.name];
    return token === undefined ? principal : { ...principal, ...showing(token) };
  });
  const disabled = principals.find(({ name }) => name === "disabled");
  await expect.poll(async () => (await ask("/api/companies", disabled)).status).toBe(401);
});

/** Displays to clean up after this file. */
const paired: string[] = [];
test.afterAll(async () => {
  const { cookie = "" } = principals.at(-1) ?? {};
  for (const id of paired) await mutate(`/api/displays/${id}/revoke`, cookie, {});
});

let screens = 0;
/** Pairs a screen, and unpairs it again if required. @returns its cookie */
async function pairedScreen(
  { shows, isPaired }: NonNullable<Principal["screen"]>,
  administrator: string,
): Promise<string> {
  screens += 1;
  const headers = { "x-forwarded-for": `198.51.100.${screens}` };
  const begun = await mutate("/api/pair", "", {}, headers);
  const { code } = (await begun.json()) as { code: string };
  const made = await mutate("/api/displays", administrator, {
    code,
    replaces: null,
    name: `Matrix ${screens}`,
    place: "",
    companies: [shows],
    layout: "auto",
    theme: "dark",
    time_zone: "Europe/Oslo",
    expires_at: null,
  });
  expect(made.status).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const fetched = await fetch(`${app.address}/api/pair`, {
    headers: { cookie: cookiesOf(begun), ...headers },
  });
  const cookie = cookiesOf(fetched);
  expect(cookie).toContain("plumbline-display=");
  if (isPaired) paired.push(id);
  else expect((await mutate(`/api/displays/${id}/revoke`, administrator, {})).ok).toBe(true);
  return cookie;
}

const mutate = (address: string, cookie: string, body: object, headers: object = {}) =>
  fetch(`${app.address}${address}`, {
    method: "POST",
    headers: { cookie, origin: app.address, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** The cookie of a session that its person has ended by signing out. */
async function endedSessionOf(email: string): Promise<string> {
  const cookie = await sessionOf(email);
  const csrf = await fetch(`${app.address}/api/auth/csrf`, { headers: { cookie } });
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const out = await fetch(`${app.address}/api/auth/signout`, {
    method: "POST",
    headers: { cookie: `${cookie}; ${cookiesOf(csrf)}`, origin: app.address },
    body: new URLSearchParams({ csrfToken, json: "true" }),
  });
  expect(out.status).toBe(200);
  return cookie;
}

async function partnerOf(company: string): Promise<{ partner: string | undefined }> {
  const { rows } = JSON.parse(
    (await ask(`/api/companies/${company}/sync-status`, principals.at(-1))).body,
  ) as { rows: { partner_name: string }[] };
  return { partner: rows[0]?.partner_name };
}

/** An incident of the company, which the demo has from its start. */
async function incidentOf(company: string): Promise<number | undefined> {
  const { data } = JSON.parse(
    (await ask(`/api/companies/${company}/incidents`, principals.at(-1))).body,
  ) as { data: { id: number }[] };
  return data[0]?.id;
}

/** The token of a link to something of the company. */
async function sharedToken(what: object): Promise<string> {
  const address = `/api/companies/${COMPANY}/links`;
  const body = { ...what, shows: "both", details_in_preview: true };
  const answer = await mutate(address, principals.at(-1)?.cookie ?? "", body);
  expect(answer.status).toBe(201);
  const { url } = (await answer.json()) as { url: string };
  expect((await fetch(url)).status).toBe(200);
  return url.split("/s/")[1] ?? "";
}

function showing(token: string): Pick<Principal, "cookie" | "credentials"> {
  const cookie = ["next-auth.session-token", "plumbline-display", "token"]
    .map((name) => `${name}=${token}`)
    .join("; ");
  return {
    cookie,
    credentials: { authorization: `Bearer ${token}`, referer: `${app.address}/s/${token}` },
  };
}

async function sessionOf(email: string): Promise<string> {
  const { address } = app;
  const csrf = await fetch(`${address}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const { password } = ADMIN;
  const answer = await fetch(`${address}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(csrf), origin: address },
    body: new URLSearchParams({ email, password, csrfToken, callbackUrl: address, json: "true" }),
  });
  expect(answer.status).toBe(200);
  return cookiesOf(answer);
}

function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

type Reply = { status: number; body: string; headers: Headers };

async function ask(
  address: string,
  principal?: Principal,
  {
    method = "GET",
    headers = {},
    body = "{}",
  }: { method?: string; headers?: Record<string, string>; body?: string | undefined } = {},
): Promise<Reply> {
  const isMutation = ["POST", "PUT", "PATCH", "DELETE"].includes(method);
  const answer = await fetch(`${app.address}${address}`, {
    method,
    redirect: "manual",
    headers: {
      cookie: principal?.cookie ?? "",
      ...principal?.credentials,
      ...(isMutation && { origin: app.address, "content-type": "application/json" }),
      ...headers,
    },
    ...(isMutation && { body }),
  });
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
}

/** An address with its parameters filled in by values that name nothing that exists. */
const filled = (address: string, company: string) =>
  address.replace("[company]", company).replace(/\[(?:\.\.\.missing|\w+)\]/g, "0");

/**
 * Expected status at a wall address: a screen sees what it shows, a person what they may, and only
 * screens write.
 */
function wallStatusOf(
  row: Row,
  method: Method,
  { grants, screen }: Principal,
  company: string | null,
) {
  if (screen?.isPaired === false) return 403;
  if (screen === null && grants === null) return 401;
  const isHidden = company !== null && !(screen?.shows === company || isGranted(grants, company));
  if (isHidden) return 404;
  const as = method === "HEAD" ? "GET" : method;
  if (row.may[as] === undefined) return 405;
  return as === "GET" || screen !== null ? row.statuses[as] : 403;
}

/**
 * Expected status: 401 without a session, 404 without access, then 405, then 403, also until
 * reauthentication.
 */
function statusOf(
  { may, statuses, needsProof = [] }: Row,
  method: Method,
  { name, grants }: Principal,
  company: string | null,
) {
  if (grants === null) return 401;
  if (company !== null && !hasRight(grants, "view", company)) return 404;
  const as = method === "HEAD" ? "GET" : method;
  const right = may[as];
  if (right === undefined) return 405;
  if (right !== null && !hasRight(grants, right, company)) return 403;
  if (name === UNPROVEN && needsProof.includes(method)) return 403;
  return statuses[as];
}

const cellOf = (principal: Principal, method: string, address: string) =>
  `${principal.name}: ${method} ${address}`;

test("answers each method of each address by the principal's permissions", async () => {
  const missing = await ask("/api/companies/no-such-company/sync-status", principals.at(-1));
  const canaries = await bothCanaries();
  const wrong: string[] = [];
  let cells = 0;
  for (const principal of principals) {
    const expected: Record<string, number | undefined> = {};
    const actual: Record<string, number> = {};
    const cell = async (address: string, row: Row, company: string | null) => {
      await Promise.all(
        METHODS.map(async (method) => {
          const name = cellOf(principal, method, address);
          const answer = await ask(address, principal, { method, body: row.body });
          actual[name] = answer.status;
          const isWall = isOfWalls(address);
          expected[name] = (isWall ? wallStatusOf : statusOf)(row, method, principal, company);
          // Hidden resources equal missing ones to the byte; and nothing is stored on the way.
          const isHidden = company !== null && !isSeen(principal, company, address);
          if (answer.status === 404 && isHidden && method !== "HEAD")
            if (answer.body !== missing.body) wrong.push(`${name} is not missing: ${answer.body}`);
          if (!isWall && principal.name === UNPROVEN && answer.status === 403)
            if (!answer.body.includes("reauthentication_required"))
              wrong.push(`${name} is refused for something else: ${answer.body}`);
          const leaked = leaksOf(canaries, principal, address, answer.body);
          if (leaked.length > 0) wrong.push(`${name} tells ${leaked.join(", ")}`);
          const kept = answer.headers.get("cache-control") ?? "";
          if (!/^private, no-(?:store|cache)$/.test(kept)) wrong.push(`${name} is kept: ${kept}`);
          cells += 1;
        }),
      );
    };
    for (const [rest, row] of Object.entries(OF_COMPANY)) {
      for (const company of [COMPANY, ELSEWHERE])
        await cell(filled(`/api/companies/[company]${rest}`, company), row, company);
    }
    for (const [address, row] of Object.entries({ ...OF_PEOPLE, ...OF_WALLS })) {
      const companies = address.includes("[company]") ? [COMPANY, ELSEWHERE] : [null];
      for (const company of companies) await cell(filled(address, company ?? ""), row, company);
    }
    expect(actual).toEqual(expected);
  }
  expect(wrong).toEqual([]);
  const ofWalls = addressesWithCompanies(Object.keys(OF_WALLS));
  const rows = 2 * Object.keys(OF_COMPANY).length + Object.keys(OF_PEOPLE).length + ofWalls;
  expect(cells).toBe(principals.length * METHODS.length * rows);
  process.stdout.write(`  the matrix has ${cells} cells of addresses\n`);
});

/** Number of addresses when those of a company count for both companies. */
const addressesWithCompanies = (addresses: readonly string[]) =>
  addresses.flatMap((address) => (address.includes("[company]") ? [1, 2] : [1])).length;

const isGranted = (grants: Principal["grants"], company: string) =>
  grants !== null && hasRight(grants, "view", company);

/** Whether a principal may see anything of a company at an address. */
const isSeen = ({ grants, screen }: Principal, company: string, address: string) =>
  isGranted(grants, company) ||
  (screen !== null && screen.isPaired && screen.shows === company && isOfWalls(address));

/** How the framework's own client requests a page, besides a plain visit. */
const PAGE_FORMS: Readonly<Record<string, Record<string, string>>> = {
  plain: {},
  rsc: { rsc: "1" },
  prefetch: { rsc: "1", "next-router-prefetch": "1" },
  segment: { rsc: "1", "next-router-segment-prefetch": "/_tree", "next-router-prefetch": "1" },
};

test("renders each page only for those who may see it, however it is requested", async () => {
  const canaries = await bothCanaries();
  const wrong: string[] = [];
  const drawn = new Set<string>();
  for (const principal of principals) {
    for (const page of [...COMPANY_PAGES, ...Object.keys(PEOPLE_PAGES), ...OPEN_PAGES]) {
      for (const company of page.includes("[company]") ? [COMPANY, ELSEWHERE] : [COMPANY]) {
        // In every form for principals without access; those with access get the same in each.
        const isOut = ["anonymous", "ungranted", "elsewhere", "screen"].includes(principal.name);
        const forms = isOut ? Object.entries(PAGE_FORMS) : [["plain", {}] as const];
        for (const [form, headers] of forms) {
          for (const method of isOut && form === "plain" ? ["GET", "HEAD"] : ["GET"]) {
            const address = filled(page, company);
            const name = `${cellOf(principal, method, address)} (${form})`;
            const { status, body } = await ask(address, principal, { method, headers });
            if (status >= 500) wrong.push(`${name} fails: ${status}`);
            const leaked = leaksOf(canaries, principal, address, body);
            if (canaries[COMPANY]?.some((canary) => body.includes(canary)))
              drawn.add(`${principal.name}: ${address}`);
            if (leaked.length > 0) wrong.push(`${name} tells ${leaked.join(", ")}`);
            if (form === "plain" && page.includes("[company]") && page !== "/[company]/wall") {
              const expected =
                principal.grants === null
                  ? [307]
                  : isSeen(principal, company, address)
                    ? [200, 404]
                    : [404];
              if (!expected.includes(status)) wrong.push(`${name} answers ${status}`);
            }
          }
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  // Positive control: those with access do see it.
  for (const who of ["screen", "viewer", "administrator"])
    expect(drawn).toContain(`${who}: /${COMPANY}/wall`);
  expect(drawn).toContain(`viewer: /${COMPANY}`);
});

type Canaries = Readonly<Record<string, readonly string[]>>;

const bothCanaries = async (): Promise<Canaries> => ({
  [COMPANY]: await canariesOf(COMPANY, ELSEWHERE),
  [ELSEWHERE]: await canariesOf(ELSEWHERE, COMPANY),
});

/** Data in a response that the principal may not see. */
const leaksOf = (canaries: Canaries, principal: Principal, address: string, body: string) =>
  Object.entries(canaries).flatMap(([company, all]) =>
    isSeen(principal, company, address) ? [] : all.filter((canary) => body.includes(canary)),
  );

/** Data unique to one company: ids of its endpoints, and names of its files. */
async function canariesOf(company: string, other: string): Promise<string[]> {
  const administrator = principals.at(-1);
  const found = async (slug: string) => {
    const status = JSON.parse(
      (await ask(`/api/companies/${slug}/sync-status`, administrator)).body,
    );
    const files = JSON.parse(
      (await ask(`/api/companies/${slug}/schedule-files?per_page=100`, administrator)).body,
    );
    return [
      ...status.rows.map(({ id }: { id: string }) => id),
      ...files.data.map(({ name }: { name: string }) => name),
    ] as string[];
  };
  const theirs = new Set(await found(other));
  const canaries = (await found(company)).filter(
    (canary) => canary.length > 5 && !theirs.has(canary),
  );
  expect(canaries.length).toBeGreaterThan(8);
  return canaries;
}

test("opens only an incident link's page and picture by its token", async () => {
  const incident = await incidentOf(COMPANY);
  const token = await sharedToken({ incident });
  const missing = await ask(`/s/${"0".repeat(22)}`);
  const page = await ask(`/s/${token}`);
  expect(page.status).toBe(200);
  const picture = /<meta property="og:image" content="([^"]+)"/.exec(page.body)?.[1] ?? "";
  const { pathname } = new URL(picture);
  expect(pathname).toMatch(/^\/api\/previews\//);
  const drawn = await ask(pathname);
  expect([drawn.status, drawn.headers.get("content-type")]).toEqual([200, "image/png"]);

  // Whatever is appended, it is that page, or none.
  const mainOf = ({ body }: Reply) => /<h1.*?<\/h1>/s.exec(body)?.[0];
  for (const query of [`?incident=${(incident ?? 0) + 1}`, `?company=${ELSEWHERE}`, "?partner=x"])
    expect(mainOf(await ask(`/s/${token}${query}`))).toBe(mainOf(page));
  const others = [
    `/s/${token}/incidents`,
    `/s/${token}/timeline`,
    `/s/${token}/../api/companies/${COMPANY}/incidents/${incident}`,
    `/s/${token}%2f..`,
    `/s/${token}0`,
    `/s/${token.slice(0, -1)}`,
    `/api/previews/${token}/${pathname.split("/").at(-1)}`,
    `/api/companies/${COMPANY}/incidents/${incident}?token=${token}`,
    `/${COMPANY}/incidents/${incident}?token=${token}`,
  ];
  for (const address of others) {
    const { status, body } = await ask(
      address,
      principals.find(({ name }) => name === "incident link"),
    );
    expect.soft(status, address).toBeGreaterThanOrEqual(300);
    expect.soft(status, address).toBeLessThan(500);
    expect.soft(body, address).not.toContain("needed attention");
  }
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const { status } = await ask(`/s/${token}`, undefined, { method });
    expect.soft([404, 405], method).toContain(status);
  }
  // A link is read-only.
  const acts = [
    ["PUT", "acknowledgement"],
    ["DELETE", "acknowledgement"],
    ["PUT", "owner"],
    ["POST", "notes"],
  ] as const;
  const holder = principals.find(({ name }) => name === "incident link");
  for (const [method, act] of acts) {
    const address = `/api/companies/${COMPANY}/incidents/${incident}/${act}`;
    expect.soft((await ask(address, holder, { method })).status, act).toBe(401);
  }
  const { body } = await ask(`/s/${token}`, principals.at(-1));
  for (const canary of await saidIn(incident)) expect.soft(body).not.toContain(canary);
  expect((await ask(`/s/${"0".repeat(22)}`, holder)).body).toBe(missing.body);
});

/** Acknowledgement of an incident, and texts in its timeline. */
async function saidIn(incident: number | undefined): Promise<string[]> {
  const { acknowledged, owner, timeline } = JSON.parse(
    (await ask(`/api/companies/${COMPANY}/incidents/${incident}`, principals.at(-1))).body,
  ) as {
    acknowledged: { by: string } | null;
    owner: { name: string } | null;
    timeline: { by: string | null; text: string | null }[];
  };
  const notes = timeline.flatMap(({ by, text }) => (by === null ? [] : [by, text ?? ""]));
  return [acknowledged?.by ?? "", owner?.name ?? "", ...notes].filter((word) => word !== "");
}

test("opens no address by another spelling", async () => {
  const secrets = await canariesOf(COMPANY, ELSEWHERE);
  const addresses = Object.keys(OF_COMPANY).filter(
    (rest) => !rest.includes("[") && OF_COMPANY[rest]?.may.GET,
  );
  const spellings = addresses.flatMap((rest) => [
    `//api/companies/${COMPANY}${rest}`,
    `/api//companies/${COMPANY}${rest}`,
    `/api/companies/${COMPANY}/${rest}`,
    `/api/companies/${COMPANY}${rest}/`,
    `/api/companies/${encodeURIComponent(`${ELSEWHERE}/../${COMPANY}`)}${rest}`,
    `/api/companies/${ELSEWHERE}/..%2f${COMPANY}${rest}`,
    `/api/companies/%6eorthgate${rest}`,
    `/API/companies/${COMPANY}${rest}`,
    `/api/companies/${COMPANY.toUpperCase()}${rest}`,
    `/api/companies/${COMPANY}${rest}%00`,
    `/api/companies/${COMPANY};a=b${rest}`,
    `/${ELSEWHERE}/../api/companies/${COMPANY}${rest}`,
    `/_next/data/x/api/companies/${COMPANY}${rest}.json`,
    `/wall/../api/companies/${COMPANY}${rest}`,
    `/api/wall/..%2fcompanies/${COMPANY}${rest}`,
  ]);
  const wrong: string[] = [];
  for (const principal of principals.filter((each) => !isSeen(each, COMPANY, "/"))) {
    for (const address of spellings) {
      const { status, body } = await ask(address, principal);
      const leaked = secrets.filter((canary) => body.includes(canary));
      if (status < 300 || status >= 500 || leaked.length > 0)
        wrong.push(`${cellOf(principal, "GET", address)} answers ${status}: ${leaked.join(", ")}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** Identities that a client behind the shared app's trusted proxy may claim by headers alone. */
const CLAIMS: readonly Record<string, string>[] = [
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  { "x-forwarded-for": "127.0.0.1, ::1", "x-real-ip": "127.0.0.1" },
  { forwarded: "for=127.0.0.1;host=localhost;proto=https" },
  { "x-original-url": `/api/companies/${COMPANY}/sync-status`, "x-rewrite-url": `/${COMPANY}` },
  { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy", "x-middleware-invoke": "1" },
  { "x-invoke-path": `/${COMPANY}`, "x-matched-path": `/${COMPANY}`, "x-nextjs-data": "1" },
  { "x-plumbline-client-address": "127.0.0.1", "x-plumbline-origin": "http://localhost" },
  { "next-action": "0".repeat(40) },
  { authorization: "Bearer administrator", "x-user": "administrator" },
  { "x-http-method-override": "DELETE", "x-method-override": "DELETE" },
  { range: "bytes=0-10", "if-none-match": "*" },
];

test("gains no identity by a header", async () => {
  const canaries = await bothCanaries();
  const addresses = [
    `/api/companies/${COMPANY}/sync-status`,
    "/api/people",
    `/api/wall/companies/${COMPANY}/sync-status`,
    `/${COMPANY}`,
  ];
  const wrong: string[] = [];
  for (const principal of principals.filter((each) => !isSeen(each, COMPANY, "/wall"))) {
    for (const address of addresses) {
      const plain = await ask(address, principal);
      for (const headers of CLAIMS) {
        const answer = await ask(address, principal, { headers });
        const name = `${cellOf(principal, "GET", address)} with ${Object.keys(headers).join()}`;
        const leaked = leaksOf(canaries, principal, address, answer.body);
        // Refused at the front, or as without them.
        if (answer.status !== plain.status && ![400, 404].includes(answer.status))
          wrong.push(`${name} answers ${answer.status} instead of ${plain.status}`);
        if (leaked.length > 0) wrong.push(`${name} tells ${leaked.join(", ")}`);
        if (answer.headers.get("location")?.includes("evil")) wrong.push(`${name} leads away`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("accepts no forged cookie as a session", async () => {
  const administrator = principals.at(-1)?.cookie ?? "";
  const [name = "", sealed = ""] =
    administrator
      .split("; ")
      .find((pair) => pair.includes("session-token"))
      ?.split("=") ?? [];
  const token = decodeURIComponent(sealed);
  const claims = { sub: "1", sid: "0".repeat(43), role: "administrator", name: "Ana Rask" };
  const [header, , ...rest] = token.split(".");
  const none = `${base64({ alg: "none" })}.${base64(claims)}.`;
  const forged: Record<string, string> = {
    unsigned: none,
    "sealed with another secret": await encode({ token: claims, secret: "another secret" }),
    "sealed with nothing": await encode({ token: claims, secret: " " }),
    "of ours, with another head": [base64({ alg: "none", enc: "A256GCM" }), "", ...rest].join("."),
    "of ours, without its tag": [header, "", ...rest.slice(0, -1), ""].join("."),
    "of ours, changed": `${token.slice(0, -12)}${token.at(-12) === "A" ? "B" : "A"}${token.slice(-11)}`,
    "of ours, cut": token.slice(0, -1),
    "of ours, twice": `${token}${token}`,
    "another prototype": "__proto__",
    "a very long one": "a.".repeat(3_000),
  };
  for (const [what, value] of Object.entries(forged)) {
    const answer = await askWith(`${name}=${encodeURIComponent(value)}`);
    expect.soft(answer.status, what).toBe(401);
  }
  // Nor under another name that libraries also read.
  for (const other of [`${name}.0`, `__Secure-${name}`, `__Host-${name}`, "authjs.session-token"])
    expect.soft((await askWith(`${other}=${sealed}`)).status, other).toBe(401);
  // A screen's credential isn't a session, and a session isn't a screen's credential.
  const screen = principals.find(({ name: who }) => who === "screen")?.cookie ?? "";
  expect((await askWith(`${name}=${screen.split("=")[1] ?? ""}`)).status).toBe(401);
  expect((await askWith(`plumbline-display=${sealed}`, "/api/wall")).status).toBe(401);
  expect((await askWith(`${name}=${sealed}`)).status).toBe(200);
});

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const askWith = (cookie: string, address = "/api/companies") =>
  fetch(`${app.address}${address}`, { headers: { cookie }, redirect: "manual" });

test("lets people end only their own sessions", async () => {
  const administrator = principals.at(-1);
  const mine = JSON.parse((await ask("/api/me", administrator)).body) as {
    sessions: { id: string }[];
  };
  const address = `/api/me/sessions/${mine.sessions[0]?.id}`;
  const missing = await ask("/api/me/sessions/0", administrator, { method: "DELETE" });
  for (const principal of principals.filter((each) => each !== administrator)) {
    const answer = await ask(address, principal, { method: "DELETE" });
    expect(answer.status).toBe(principal.grants === null ? 401 : 404);
    if (principal.grants !== null) expect(answer.body).toBe(missing.body);
  }
  expect((await ask("/api/me", administrator)).status).toBe(200);
});
