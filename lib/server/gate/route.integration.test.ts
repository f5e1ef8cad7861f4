import { toWebResponse } from "@/lib/server/http/handler-response";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Failure, type ErrorBody } from "@/lib/contracts/failure";
import { createTestApp, createBrowser, type TestApp } from "./app-fixture";
import type { Method, RouteHandler } from "@/lib/server/http/handlers";
import { createHandler } from "./route";
import { respondToUnrouted, refuseUnauthorized } from "./unrouted";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";

type Browser = ReturnType<typeof createBrowser>;

let fixture: TestApp;
let viewer: Browser;
let operator: Browser;
let stranger: Browser;

beforeAll(async () => {
  fixture = await createTestApp();
  await fixture.addPerson("viewer@example.com", "viewer", ["northgate"]);
  await fixture.addPerson("operator@example.com", "operator", ["northgate"]);
  viewer = createBrowser(fixture.runtime);
  operator = createBrowser(fixture.runtime);
  stranger = createBrowser(fixture.runtime);
  await viewer.signIn("viewer@example.com");
  await operator.signIn("operator@example.com");
});
afterAll(() => fixture.drop());

const runtimeOf = () => fixture.runtime;
/** Response to a request with an unsupported method. */
const otherMethods =
  (...methods: Method[]): RouteHandler =>
  (request, params) =>
    respondToUnrouted(fixture.runtime, request, { params, methods, isNearRoutes: true });
/** Response to a request for a missing address in an existing folder. */
const nothing: RouteHandler = (request) =>
  respondToUnrouted(fixture.runtime, request, { params: {}, methods: [], isNearRoutes: true });
const view: RouteHandler = createHandler(runtimeOf, { right: "view" }, (context) =>
  Response.json({ company: context.company, email: context.person.email, params: context.params }),
);
const remove: RouteHandler = createHandler(
  runtimeOf,
  { right: "delete-files", mutation: true },
  ({ body }) => Response.json({ body }, { status: 202 }),
);

async function ask(
  handler: RouteHandler,
  browser: Browser,
  company = "northgate",
  init: RequestInit = {},
): Promise<Response> {
  const request = browser.request(`/api/companies/${company}/things`, init);
  return toWebResponse(await handler(request, { company }));
}

const mutation = (more: Record<string, string> = {}, body = '{"files":[]}'): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", origin: "http://localhost:3000", ...more },
  body,
});

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const filesOf = (count: number) => `{"files":[${"{},".repeat(count)}{}]}`;

async function bytes(response: Response) {
  const headers = [...response.headers].filter(([name]) => name !== "date");
  return JSON.stringify([response.status, headers, await response.text()]);
}

describe("a company that is no longer connected", () => {
  test("is readable by administrators, and returns 404 to other people", async () => {
    await fixture.addPerson("former@example.com", "operator", ["quarry", "northgate"]);
    await fixture.addPerson("admin@example.com", "administrator");
    const former = createBrowser(fixture.runtime);
    await former.signIn("former@example.com");
    const admin = createBrowser(fixture.runtime);
    await admin.signIn("admin@example.com");
    expect((await ask(view, admin, "quarry")).status).toBe(200);
    expect((await ask(view, admin, "nowhere")).status).toBe(404);
    const [theirs, missing] = await Promise.all([
      ask(view, former, "quarry").then(bytes),
      ask(view, former, "nowhere").then(bytes),
    ]);
    expect(theirs).toBe(missing);
    expect(theirs).toContain("404");
  });
});

describe("a handler behind all checks", () => {
  test("receives the company, the person and the path parameters, and its response isn't cached", async () => {
    const response = await ask(view, viewer);
    expect(await response.json()).toEqual({
      company: "northgate",
      email: "viewer@example.com",
      params: { company: "northgate" },
    });
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  test("keeps its own Cache-Control", async () => {
    const handler = createHandler(runtimeOf, { right: "view" }, () => {
      return new Response(null, { headers: { "Cache-Control": "private, no-cache" } });
    });
    const response = await ask(handler, viewer);
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("returns 401 without a session, whatever the address, company or method", async () => {
    const answers = await Promise.all([
      ask(view, stranger),
      ask(view, stranger, "nowhere"),
      ask(remove, stranger),
      ask(otherMethods("GET", "HEAD"), stranger, "northgate", { method: "DELETE" }),
      ask(nothing, stranger, "nowhere"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(await Promise.all(answers.map(bytes))).size).toBe(1);
  });

  test("refuses requests without a session identically before and in Next, and no others", async () => {
    const refusal = (browser: Browser, company = "northgate") =>
      refuseUnauthorized(fixture.runtime, browser.request(`/api/companies/${company}/things`), {
        company,
      });
    for (const [browser, company] of [
      [stranger, "northgate"],
      [viewer, "nowhere"],
    ] as const) {
      const answer = await refusal(browser, company);
      expect(answer && (await bytes(toWebResponse(answer)))).toBe(
        await bytes(await ask(view, browser, company)),
      );
    }
    expect(await refusal(viewer)).toBeNull();
  });

  test("rejects a forged or foreign session cookie", async () => {
    const forger = createBrowser(fixture.runtime);
    for (const value of ["x", "eyJhbGciOiJub25lIn0.e30.", "a.b.c.d.e"]) {
      forger.jar.set("next-auth.session-token", value);
      expect((await ask(view, forger)).status).toBe(401);
    }
  });

  test("returns identical bytes for an inaccessible and a missing company", async () => {
    const answers = await Promise.all([
      ask(view, viewer, "harbour"),
      ask(view, viewer, "nowhere"),
      ask(remove, viewer, "harbour"),
      ask(otherMethods("GET", "HEAD"), viewer, "harbour", { method: "POST" }),
      ask(nothing, viewer, "nowhere"),
    ]);
    expect(answers[0]?.status).toBe(404);
    expect(new Set(await Promise.all(answers.map(bytes))).size).toBe(1);
  });

  test("returns 403 for a visible company without the permission, before reading the body", async () => {
    const response = await ask(remove, viewer, "northgate", { method: "POST", body: "{" });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: "forbidden" });
  });

  test("returns 405 with Allow for an unsupported method", async () => {
    const response = await ask(otherMethods("GET", "HEAD", "POST"), viewer, "northgate", {
      method: "DELETE",
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
  });
});

describe("the address of all companies", () => {
  const list = createHandler(runtimeOf, { right: null }, ({ person }) =>
    Response.json(person.grants),
  );
  const askFor = async (handler: RouteHandler, browser: Browser) =>
    toWebResponse(await handler(browser.request("/api/companies"), {}));

  test("is open to every signed-in person, and passes the person to the handler", async () => {
    const response = await askFor(list, viewer);
    expect(await response.json()).toEqual([{ role: "viewer", company: "northgate" }]);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
  });

  test("returns 401 without a session, whatever the method, and what programs can send", async () => {
    const POST = otherMethods("GET", "HEAD");
    const refused = await askFor(list, stranger);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="Plumbline"');
    expect((await askFor(POST, stranger)).status).toBe(401);
    expect((await askFor(POST, viewer)).status).toBe(405);
  });
});

describe("a mutation", () => {
  test("accepts JSON from our own origin, also under another of our addresses", async () => {
    const answers = await Promise.all([
      ask(remove, operator, "northgate", mutation()),
      ask(remove, operator, "northgate", mutation({ "sec-fetch-site": "same-origin" })),
      ask(
        remove,
        operator,
        "northgate",
        mutation({ "content-type": "Application/JSON; charset=utf-8" }),
      ),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await answers[0]?.json()).toEqual({ body: { files: [] } });
  });

  test.each([
    ["a form", mutation({ "content-type": "text/plain" }), 415, "unsupported_media_type"],
    ["another origin", mutation({ origin: "http://evil.example" }), 403, "cross_site"],
    ["a sibling site", mutation({ "sec-fetch-site": "same-site" }), 403, "cross_site"],
    ["no origin at all", mutation({ origin: "" }), 403, "cross_site"],
    ["65 KB", mutation({}, `"${"x".repeat(64 * 1024)}"`), 413, "payload_too_large"],
    ["half a JSON", mutation({}, '{"files":['), 400, "invalid_request"],
    ["64 kB of arrays in arrays", mutation({}, "[".repeat(65_000)), 400, "invalid_request"],
    ["as many, all closed", mutation({}, nested(32_000)), 400, "invalid_request"],
    ["objects in objects", mutation({}, '{"a":'.repeat(12_000)), 400, "invalid_request"],
    ["32,000 numbers", mutation({}, `[${"0,".repeat(32_000)}0]`), 400, "invalid_request"],
    ["21,000 files that are none", mutation({}, filesOf(21_000)), 400, "invalid_request"],
  ])("from %s is refused", async (_, init, status, error) => {
    const response = await ask(remove, operator, "northgate", init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });

  test("accepts the origin that the front reports, and no other", async () => {
    const at = async (origin: string, more: Record<string, string>) => {
      const request = operator.request("/api/companies/northgate/things", mutation({ origin }));
      request.headers.delete("x-plumbline-origin");
      for (const [name, value] of Object.entries(more)) request.headers.set(name, value);
      return toWebResponse(await remove(request, { company: "northgate" }));
    };
    const reached = { host: "192.168.1.5:3000", "x-plumbline-origin": "http://192.168.1.5:3000" };
    expect((await at("http://192.168.1.5:3000", reached)).status).toBe(202);
    expect((await at("https://192.168.1.5:3000", reached)).status).toBe(403);
    // DNS rebinding: another site's name resolves to our address, and the browser sends it as host
    // and origin, with that name's cookies.
    const rebound = { host: "evil.example:3000", "sec-fetch-site": "same-origin" };
    expect((await at("http://evil.example:3000", rebound)).status).toBe(403);
    expect((await at("https://localhost:3000", { host: "localhost:3000" })).status).toBe(403);
    expect((await at("null", { host: "localhost:3000" })).status).toBe(403);
  });

  test("is refused before expensive parsing, with the reason", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const answers = [
      await ask(remove, operator, "northgate", mutation({}, nested(17))),
      await ask(remove, operator, "northgate", mutation({}, `[${"0,".repeat(8_192)}0]`)),
    ];
    const parsed = parse.mock.calls.map(([text]) => text);
    parse.mockRestore();
    expect(parsed.filter((text) => text.startsWith("["))).toEqual([]);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(bodies.map((body) => (body as ErrorBody).error_description)).toEqual([
      "The request is nested deeper than 16 levels.",
      "The request holds more than 8192 values.",
    ]);
    expect((await ask(remove, operator, "northgate", mutation({}, nested(16)))).status).toBe(202);
  });

  test("is refused while sessions can't be confirmed, although reading still works", async () => {
    await ask(view, operator);
    await fixture.clock.advance(RECHECK_MS);
    await fixture.asOwner("alter table sessions rename to sessions_away");
    try {
      expect((await ask(view, operator)).status).toBe(200);
      expect((await ask(remove, operator, "northgate", mutation())).status).toBe(503);
    } finally {
      await fixture.asOwner("alter table sessions_away rename to sessions");
      await fixture.clock.advance(1_000);
    }
  });
});

const throwing = (error: unknown) =>
  createHandler(runtimeOf, { right: "view" }, () => {
    throw error;
  });

describe("an error in a handler", () => {
  test("returns the code and description of a Failure", async () => {
    const failure = new Failure("too_many_requests", "Please wait.", { retryAfterSeconds: 7 });
    const response = await ask(throwing(failure), viewer);
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(await response.json()).toEqual({
      error: "too_many_requests",
      error_description: "Please wait.",
    });
  });

  test("returns 503 when the database is unavailable", async () => {
    const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    const wrapped = new Error("Failed query: select secret", { cause: away });
    const response = await ask(throwing(wrapped), viewer);
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("secret");
  });

  test("otherwise returns 500 without details, and logs the error under its id", async () => {
    const response = await ask(throwing(new Error("token abc123 leaked")), viewer);
    expect(response.status).toBe(500);
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await response.json()).toEqual({
      error: "internal",
      error_description: "Something went wrong on our side.",
    });
  });
});
