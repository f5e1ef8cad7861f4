import fc from "fast-check";
import { describe, expect } from "vitest";
import { appTest, createBrowser, PASSWORD, type TestApp } from "./app-fixture";
import { handleAuthRequest } from "./next-auth-handler";

const test = appTest();
let browser: ReturnType<typeof createBrowser>;
let csrfToken: string;
test.beforeAll(async ({ app }) => {
  await app.addPerson("ana@example.com", "viewer", ["northgate"]);
  browser = createBrowser(app.runtime);
  await browser.signIn("ana@example.com");
  csrfToken = await browser.csrfToken();
});

/**
 * Input that our forms never send: line ends, control characters, other scripts, lone surrogates,
 * large values.
 */
const ODD = [
  "\r\n",
  "\r\nSet-Cookie: a=b",
  "\0",
  "\u0085\u2028\u2029",
  "\u007f\u0001\t",
  "☃ 雪 \u{1f4a5}",
  "\ud800",
  "%0d%0a",
  "%",
  "%u0000",
  "//evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "http://[::1",
  "__proto__",
  "constructor",
  "true",
  '"><script>',
  "a".repeat(20_000),
  "%0d%0a☃".repeat(2_000),
];
const text = fc.oneof(
  fc.constantFrom(...ODD),
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCodePoint(code)),
  }),
  fc.tuple(fc.string(), fc.constantFrom(...ODD)).map((parts) => parts.join("")),
);
/** Names that next-auth knows, and some properties of every object. */
const name = fc.oneof(
  fc.constantFrom(
    "error",
    "callbackUrl",
    "csrfToken",
    "csrf",
    "json",
    "nextauth",
    "email",
    "password",
    "code",
    "state",
    "redirect",
    "__proto__",
    "constructor",
    "toString",
  ),
  text,
);
const fields = fc.array(fc.tuple(name, text), { maxLength: 6 });
const action = fc.constantFrom(
  "csrf",
  "providers",
  "session",
  "error",
  "signin",
  "signout",
  "callback",
);
const segments = fc
  .tuple(
    fc.oneof(action, text),
    fc.array(fc.oneof(fc.constant("credentials"), text), { maxLength: 2 }),
  )
  .map(([first, rest]) => [first, ...rest]);
/** As bytes on the wire, the only valid content of a header. */
const cookieValue = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      "a",
      ".",
      "|",
      "%",
      "=",
      '"',
      "'",
      "\\",
      " ",
      "\t",
      "{",
      "\u0080",
      "\u00ff",
    ),
  }),
  fc.constantFrom("%ff%fe", "%E0%A4%A", "|", "a|b|c", "e30.e30.e30.e30.e30", "x".repeat(20_000)),
);
const cookieNames = [
  "next-auth.session-token",
  "next-auth.session-token.0",
  "next-auth.callback-url",
  "next-auth.csrf-token",
  "next-auth.state",
  "next-auth.pkce.code_verifier",
  "__proto__",
];
const cookies = fc.oneof(
  fc.constant(null),
  fc.array(fc.tuple(fc.constantFrom(...cookieNames), cookieValue), { maxLength: 4 }),
);

type FuzzRequest = {
  method: "GET" | "POST";
  path: readonly string[];
  query: readonly (readonly [string, string])[];
  /** Null: those of the signed-in browser. */
  jar: readonly (readonly [string, string])[] | null;
  body?: { type: string; text: string };
};

async function ask(
  app: TestApp,
  { method, path, query, jar, body }: FuzzRequest,
): Promise<Response> {
  const search = new URLSearchParams(query.map(([key, value]) => [key, value]));
  const request = new Request(`http://localhost:3000/api/auth/x?${search.toString()}`, {
    method,
    headers: {
      origin: "http://localhost:3000",
      "x-plumbline-client-address": "192.0.2.1",
      cookie: jar?.map(([key, value]) => `${key}=${value}`).join("; ") ?? browser.cookieHeader(),
      ...(body && { "content-type": body.type }),
    },
    ...(body && { body: body.text }),
  });
  return handleAuthRequest(app.runtime, request, path);
}

/** Problems of a response: a server error, a redirect off our origin, a truncated header. */
async function faultsOf(app: TestApp, request: FuzzRequest): Promise<string[]> {
  const { status, headers } = await ask(app, request);
  const location = headers.get("location");
  const isOwn =
    location === null ||
    (/^\/(?!\/)[!-~]*$/.test(location) &&
      new URL(location, "http://localhost:3000").origin === "http://localhost:3000");
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...(isOwn ? [] : [`location ${location}`]),
    ...headers.getSetCookie().filter((cookie) => !/^[ -~]*$/.test(cookie)),
  ];
}

describe("any request to next-auth's addresses", () => {
  test("causes no server error by its path and query, including repeated names, with any cookies", async ({
    app,
  }) => {
    await fc.assert(
      fc.asyncProperty(segments, fields, cookies, async (path, query, jar) => {
        expect(await faultsOf(app, { method: "GET", path, query, jar })).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test("causes no server error by a form", async ({ app }) => {
    await fc.assert(
      fc.asyncProperty(
        segments,
        fields,
        fields,
        cookies,
        fc.boolean(),
        async (path, query, form, jar, isTrue) => {
          const given = isTrue ? [["csrfToken", csrfToken] as const, ...form] : form;
          const body = {
            type: "application/x-www-form-urlencoded",
            text: new URLSearchParams(given.map(([key, value]) => [key, value])).toString(),
          };
          expect(await faultsOf(app, { method: "POST", path, query, jar, body })).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("causes no server error by JSON of any shape", async ({ app }) => {
    const value = fc.oneof(text, fc.jsonValue(), fc.constant({ toString: null }));
    const texts = fc.oneof(
      fc.jsonValue().map((any) => JSON.stringify(any)),
      fc.dictionary(name, value).map((any) => JSON.stringify({ csrfToken, ...any })),
      fc.constantFrom(
        "{",
        "null",
        '"text"',
        "[[1]]",
        '{"__proto__":{"json":"true"}}',
        `{"email":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(segments, texts, cookies, async (path, json, jar) => {
        const body = { type: "application/json; charset=utf-8", text: json };
        expect(await faultsOf(app, { method: "POST", path, query: [], jar, body })).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test("redirects an error of any name to the sign-in page, with a valid address", async ({
    app,
  }) => {
    for (const error of ODD) {
      for (const path of [["error"], ["error", error], ["signin"], ["signin", error]]) {
        const request: FuzzRequest = { method: "GET", path, query: [["error", error]], jar: [] };
        expect((await ask(app, request)).status).toBe(302);
        expect(await faultsOf(app, request)).toEqual([]);
      }
    }
  });

  test("names no error where none was given", async ({ app }) => {
    const answer = await ask(app, { method: "GET", path: ["error"], query: [], jar: [] });
    expect(answer.headers.get("location")).toMatch(/\/signin$/);
  });

  test("passes error codes on unchanged, the last of two", async ({ app }) => {
    for (const error of ["CredentialsSignin", "TooManyAttempts", "AccessDenied"]) {
      const answer = await ask(app, {
        method: "GET",
        path: ["error"],
        query: [
          ["error", "\r\n"],
          ["error", error],
        ],
        jar: [],
      });
      expect(answer.headers.get("location")).toMatch(new RegExp(`error=${error}$`));
    }
  });

  test("quotes no unparsable input in the log, and requests nothing from the provider", async ({
    app,
  }) => {
    await app.clearLog();
    const answer = await ask(app, {
      method: "POST",
      path: ["callback", "credentials"],
      query: [],
      jar: [],
      body: { type: "application/json", text: `password=${PASSWORD}` },
    });
    expect(answer.status).toBe(400);
    expect(app.logText()).not.toContain(PASSWORD.slice(0, 6));
  });
});
