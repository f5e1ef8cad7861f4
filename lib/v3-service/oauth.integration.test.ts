import { SignJWT, UnsecuredJWT, decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect } from "vitest";
import { served } from "@/lib/contracts/v3";
import { createTestDatabase } from "@/lib/server/store/test-database";
import { revokeClient } from "./clients";
import { rotateSigningKey } from "./signing-keys";
import {
  ALL_SCOPES,
  bearer,
  serviceTest,
  startTestService,
  TEST_KEY_SEAL,
  TWO_COMPANIES,
  type TestService,
} from "./service-fixture";

const test = serviceTest({ seed: TWO_COMPANIES });

const CREDENTIALS = {
  grant_type: "client_credentials",
  client_id: "nw",
  client_secret: "north-secret",
};

async function errorOf(response: Response): Promise<string> {
  return `${response.status} ${served.Error.parse(await response.json()).error}`;
}

describe("the token endpoint", () => {
  test("grants every registered scope if none is requested", async ({ v3 }) => {
    const response = await v3.askToken(CREDENTIALS);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = served.TokenResponse.parse(await response.json());
    expect(body.expires_in).toBe(3600);
    expect(body.scope.split(" ").toSorted()).toEqual(ALL_SCOPES.toSorted());
  });

  test("grants exactly the requested scopes", async ({ v3 }) => {
    const response = await v3.askToken({
      ...CREDENTIALS,
      scope: "read:sync_status  read:sync_status",
    });
    expect(served.TokenResponse.parse(await response.json()).scope).toBe("read:sync_status");
  });

  test("treats blanks as no scope", async ({ v3 }) => {
    const response = await v3.askToken({ ...CREDENTIALS, scope: " " });
    expect(served.TokenResponse.parse(await response.json()).scope.split(" ")).toHaveLength(3);
  });

  test.for([
    ["a wrong secret", { ...CREDENTIALS, client_secret: "North-secret" }, "400 invalid_client"],
    ["an unknown client", { ...CREDENTIALS, client_id: "unknown" }, "400 invalid_client"],
    ["an id with a NUL", { ...CREDENTIALS, client_id: "nw\0" }, "400 invalid_client"],
    [
      "a missing secret",
      { grant_type: "client_credentials", client_id: "nw" },
      "400 invalid_client",
    ],
    ["an empty form", {}, "400 unsupported_grant_type"],
    [
      "another grant type",
      { ...CREDENTIALS, grant_type: "password" },
      "400 unsupported_grant_type",
    ],
    [
      "a client without the grant",
      { ...CREDENTIALS, client_id: "nw-browser", client_secret: "browser-secret" },
      "400 unauthorized_client",
    ],
    [
      "an unregistered scope",
      {
        ...CREDENTIALS,
        client_id: "nw-reader",
        client_secret: "reader-secret",
        scope: "read:sync_status write:schedule_files",
      },
      "400 invalid_scope",
    ],
    ["an unknown scope", { ...CREDENTIALS, scope: "admin" }, "400 invalid_scope"],
  ])("rejects %s", async ([, form, expected], { v3 }) => {
    expect(await errorOf(await v3.askToken(form as Record<string, string>))).toBe(expected);
  });

  test("rejects a repeated parameter", async ({ v3 }) => {
    const twice = `${new URLSearchParams(CREDENTIALS)}&client_id=nw`;
    expect(await errorOf(await v3.askToken("", { body: twice }))).toBe("400 invalid_request");
  });

  test("reads credentials from the form body only", async ({ v3 }) => {
    const basic = Buffer.from("nw:north-secret").toString("base64");
    const response = await v3.askToken(
      { grant_type: "client_credentials" },
      {
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          Authorization: `Basic ${basic}`,
        },
      },
    );
    expect(await errorOf(response)).toBe("400 invalid_client");
    const query = new URLSearchParams(CREDENTIALS);
    const inQuery = await v3.send(`/oauth/token?${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(await errorOf(inQuery)).toBe("400 unsupported_grant_type");
  });

  test("rejects a body that isn't a form or is too large", async ({ v3 }) => {
    const json = await v3.send("/oauth/token", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(CREDENTIALS),
    });
    expect(await errorOf(json)).toBe("400 invalid_request");
    const large = await v3.askToken({ ...CREDENTIALS, padding: "x".repeat(9_000) });
    expect(await errorOf(large)).toBe("413 request_too_large");
  });

  test("logs the id of a rejected client if it exists, and nothing else from the request", async ({
    v3,
  }) => {
    v3.noted.length = 0;
    const sent = [
      { client_secret: "a wrong secret" },
      { client_id: "typed-secret", client_secret: "another" },
      { client_secret: "" },
    ];
    for (const form of sent) await v3.askToken({ ...CREDENTIALS, ...form });
    await v3.askToken({ ...CREDENTIALS, grant_type: "password" });
    await v3.askToken({ ...CREDENTIALS, scope: "read:everything" });
    const refused = { event: "token_refused", address: "192.0.2.1" };
    expect(v3.noted).toEqual([
      { ...refused, known: true, client: "nw", revoked: false },
      { ...refused, known: false },
      { ...refused, known: false },
    ]);
  });

  test("stores no readable secret", async ({ v3 }) => {
    const { rows } = await v3.database.pool.query("select * from v3.clients");
    expect(JSON.stringify(rows)).not.toMatch(/north-secret|reader-secret/);
  });
});

const status = async (v3: TestService, token: string) =>
  (await v3.send("/sync_status", bearer(token))).status;

async function storedKey(v3: TestService): Promise<{ kid: string; secret: Buffer }> {
  const { rows } = await v3.database.pool.query<{ kid: string; secret: Buffer }>(
    "select kid, secret from v3.signing_keys",
  );
  const [key] = rows;
  if (!key) throw new Error("no signing key");
  const opened = TEST_KEY_SEAL.open(key.secret.toString()) ?? "";
  return { kid: key.kid, secret: Buffer.from(opened, "base64url") };
}

/** A key as stored in the database. */
const sealedKey = (secret: Buffer) =>
  Buffer.from(TEST_KEY_SEAL.close(secret.toString("base64url")));

const nowSeconds = (v3: TestService) => Math.floor(v3.clock.ms / 1000);

/** A token like our own, with the given changes; a claim set to undefined is omitted. */
async function forge(
  v3: TestService,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key?: Uint8Array,
): Promise<string> {
  const genuine = await v3.token("nw", "north-secret");
  return await new SignJWT({ ...decodeJwt(genuine), ...claims })
    .setProtectedHeader({
      ...(decodeProtectedHeader(genuine) as { alg: string }),
      ...header,
    })
    .sign(key ?? (await storedKey(v3)).secret);
}

describe("access tokens", () => {
  test("are HS256 JWTs, valid for an hour, whose kid names the stored key", async ({ v3 }) => {
    const token = await v3.token("nw", "north-secret");
    expect(decodeProtectedHeader(token)).toMatchObject({
      alg: "HS256",
      kid: (await storedKey(v3)).kid,
    });
    const { exp, iat } = decodeJwt(token);
    expect(exp).toBe((iat ?? 0) + 3600);
    expect(await status(v3, token)).toBe(200);
    expect(await status(v3, await forge(v3))).toBe(200);
  });

  test("are requested with a challenge if there is none", async ({ v3 }) => {
    const response = await v3.send("/sync_status");
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="v3"');
    expect(await errorOf(response)).toBe("401 invalid_token");
  });

  test.for<[string, (v3: TestService) => Promise<string> | string]>([
    ["unsigned", (v3) => new UnsecuredJWT({ ...claimsOfNw(), exp: nowSeconds(v3) + 60 }).encode()],
    ["signed with another algorithm", (v3) => forge(v3, {}, { alg: "HS512" }, Buffer.alloc(64, 1))],
    [
      "signed with the stored key and another algorithm",
      async (v3) =>
        forge(
          v3,
          {},
          { alg: "HS384" },
          Buffer.concat([(await storedKey(v3)).secret, Buffer.alloc(16)]),
        ),
    ],
    ["signed with an unknown key", (v3) => forge(v3, {}, {}, Buffer.alloc(32, 7))],
    ["naming an unknown key", (v3) => forge(v3, {}, { kid: "other" })],
    ["naming no key", (v3) => forge(v3, {}, { kid: undefined })],
    ["of another type", (v3) => forge(v3, {}, { typ: "JWT" })],
    ["without exp", (v3) => forge(v3, { exp: undefined })],
    ["with an exp that is text", (v3) => forge(v3, { exp: String(nowSeconds(v3) + 60) })],
    ["with an exp that is a fraction", (v3) => forge(v3, { exp: nowSeconds(v3) + 60.5 })],
    ["with an exp that is null", (v3) => forge(v3, { exp: null })],
    ["with an exp too far ahead", (v3) => forge(v3, { exp: nowSeconds(v3) + 3700 })],
    ["with an enormous exp", (v3) => forge(v3, { exp: 1e300 })],
    ["with an exp of now", (v3) => forge(v3, { exp: nowSeconds(v3) })],
    ["with a negative exp", (v3) => forge(v3, { exp: -1 })],
    ["not valid yet", (v3) => forge(v3, { nbf: nowSeconds(v3) + 60 })],
    ["of another issuer", (v3) => forge(v3, { iss: "urn:other" })],
    ["for another audience", (v3) => forge(v3, { aud: "urn:other" })],
    ["of another company than its client's", (v3) => forge(v3, { company: 43 })],
    ["of a client that does not exist", (v3) => forge(v3, { sub: "unknown" })],
    ["that isn't a JWT", () => "abc.def.ghi"],
    ["that is empty", () => ""],
  ])("are rejected: %s", async ([, make], { v3 }) => {
    const response = await v3.send("/sync_status", bearer(await make(v3)));
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="v3"/);
    expect(await errorOf(response)).toBe("401 invalid_token");
  });

  test("are rejected if any byte is changed", async ({ v3 }) => {
    const token = await v3.token("nw", "north-secret");
    const [header, payload, signature] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload ?? "", "base64url").toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...claims, company: 43 })).toString("base64url");
    expect(await status(v3, `${header}.${other}.${signature}`)).toBe(401);
  });

  test("are valid exactly until they expire, even if accepted before", async ({ v3 }) => {
    const token = await v3.token("nw", "north-secret");
    expect(await status(v3, token)).toBe(200);
    v3.clock.ms += 3_599_000;
    expect(await status(v3, token)).toBe(200);
    v3.clock.ms += 1_000;
    expect(await status(v3, token)).toBe(401);
  });

  test("survive a restart of the service", async ({ v3 }) => {
    const token = await v3.token("nw", "north-secret");
    const other = v3.create();
    await other.start();
    const request = new Request("http://localhost/api/v3/sync_status", bearer(token));
    expect((await other.handle(request, { clientAddress: "192.0.2.9" })).status).toBe(200);
    await other.stop();
  });

  test("are rejected if their key is retired", async ({ v3 }) => {
    const token = await v3.token("hb", "harbour-secret");
    await v3.database.pool.query(
      "insert into v3.signing_keys values ('next', $1, now() + interval '1 day', null)",
      [sealedKey(Buffer.alloc(32, 3))],
    );
    v3.clock.ms += 10_000;
    expect(await status(v3, token)).toBe(200);
    expect(decodeProtectedHeader(await v3.token("hb", "harbour-secret")).kid).toBe("next");
    await v3.database.pool.query(
      "update v3.signing_keys set retired_at = now() where kid <> 'next'",
    );
    v3.clock.ms += 10_000;
    expect(await status(v3, token)).toBe(401);
  });

  test("survive the rotation of their key, which is removed once its last token has expired", async () => {
    const fixture = await startTestService(await createTestDatabase(), { seed: TWO_COMPANIES });
    const kids = async () => {
      const { rows } = await fixture.database.pool.query<{ kid: string }>(
        "select kid from v3.signing_keys order by created_at",
      );
      return rows.map(({ kid }) => kid);
    };
    const statusOf = async (token: string) =>
      (await fixture.send("/sync_status", bearer(token))).status;
    try {
      const [first] = await kids();
      const before = await fixture.token("nw", "north-secret");
      const { kid } = await rotateSigningKey(fixture.database, TEST_KEY_SEAL, fixture.clock.ms);
      // Another instance may still sign with the previous key for a moment.
      const late = await fixture.token("nw", "north-secret");
      expect(decodeProtectedHeader(late).kid).toBe(first);
      fixture.clock.ms += 10_000;
      const after = await fixture.token("nw", "north-secret");
      expect(decodeProtectedHeader(after).kid).toBe(kid);
      expect(await Promise.all([before, late, after].map(statusOf))).toEqual([200, 200, 200]);

      fixture.clock.ms += 3_589_000;
      expect(await statusOf(late)).toBe(200);
      expect(await kids()).toEqual([first, kid]);
      fixture.clock.ms += 25_000;
      expect(await statusOf(late)).toBe(401);
      await fixture.token("nw", "north-secret");
      expect(await kids()).toEqual([kid]);
    } finally {
      await fixture.stop();
    }
  });

  test("remain valid if their key was stored unsealed by an earlier version, and startup seals it", async () => {
    const fixture = await startTestService(await createTestDatabase(), { seed: TWO_COMPANIES });
    const read = async () => {
      const { rows } = await fixture.database.pool.query<{ kid: string; secret: Buffer }>(
        "select kid, secret from v3.signing_keys",
      );
      return rows[0] ?? { kid: "", secret: Buffer.alloc(0) };
    };
    try {
      const clear = Buffer.alloc(32, 5);
      await fixture.asOwner(
        `update v3.signing_keys set secret = '\\x${clear.toString("hex")}'::bytea`,
      );
      const { kid } = await read();
      const restarted = fixture.create();
      await restarted.start();
      await restarted.stop();
      expect(await read()).toEqual({ kid, secret: sealedKey(clear) });

      const token = await fixture.token("nw", "north-secret");
      const genuine = await new SignJWT(decodeJwt(token))
        .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
        .sign(clear);
      expect((await fixture.send("/sync_status", bearer(genuine))).status).toBe(200);
    } finally {
      await fixture.stop();
    }
  });

  test("are rejected if their key was inserted into the database unsealed", async ({ v3 }) => {
    await v3.database.pool.query(
      "insert into v3.signing_keys values ('planted', $1, now() - interval '9 years', null)",
      [Buffer.alloc(32, 9)],
    );
    v3.clock.ms += 10_000;
    expect(await status(v3, await forge(v3, {}, { kid: "planted" }, Buffer.alloc(32, 9)))).toBe(
      401,
    );
    await v3.database.pool.query("delete from v3.signing_keys where kid = 'planted'");
  });

  test("are rejected after their client was revoked, and it gets no new ones", async ({ v3 }) => {
    const token = await v3.token("nw-reader", "reader-secret");
    expect(await status(v3, token)).toBe(200);
    expect(await revokeClient(v3.database, "nw-reader", v3.clock.ms)).toBe(true);
    v3.clock.ms += 2_000;
    expect(await status(v3, token)).toBe(401);
    const again = await v3.askToken({
      ...CREDENTIALS,
      client_id: "nw-reader",
      client_secret: "reader-secret",
    });
    expect(await errorOf(again)).toBe("400 invalid_client");
    expect(v3.noted.at(-1)).toMatchObject({ event: "token_refused", revoked: true });
  });
});

function claimsOfNw() {
  return {
    iss: "urn:plumbline:v3",
    aud: "urn:plumbline:v3",
    sub: "nw",
    company: 42,
    scope: ALL_SCOPES.join(" "),
    iat: 0,
  };
}
