import { afterEach, describe, expect, test } from "vitest";
import { served } from "@/lib/contracts/v3";
import { createTestDatabase } from "@/lib/server/store/test-database";
import { answerV3, setV3Service, tooLargeAnswer } from "./instance";
import {
  bearer,
  START_MS,
  startTestService,
  TWO_COMPANIES,
  type TestService,
} from "./service-fixture";

let v3: TestService;
afterEach(() => v3.stop());

/** The three headers that every response must have. */
function rateOf(response: Response) {
  const number = (name: string) => Number(response.headers.get(name) ?? NaN);
  return served.RateLimitHeaders.parse({
    "X-RateLimit-Limit": number("x-ratelimit-limit"),
    "X-RateLimit-Remaining": number("x-ratelimit-remaining"),
    "X-RateLimit-Reset": number("x-ratelimit-reset"),
  });
}

describe("the rate limit", () => {
  test("counts every request of an address, valid or not, and is reported on every response", async () => {
    v3 = await startTestService(await createTestDatabase(), { seed: TWO_COMPANIES, limit: 9 });
    const token = await v3.token("nw", "north-secret");
    const narrow = await v3.token("nw-reader", "reader-secret");
    const responses = [
      await v3.send("/sync_status", bearer(token)),
      await v3.send("/sync_status?partner=" + "x".repeat(101), bearer(token)),
      await v3.send("/sync_status"),
      await v3.send("/schedule_files", bearer(narrow)),
      await v3.send("/schedule_files/999", bearer(token)),
      await v3.send("/nowhere"),
      await v3.send("/sync_status", { method: "PUT" }),
      await v3.send("/openapi.json"),
      await v3.send("/sync_status", { method: "HEAD", ...bearer(token) }),
      await v3.send("/sync_status", bearer(token)),
      await v3.send("/nowhere"),
    ];
    expect(responses.map((response) => response.status)).toEqual([
      200, 400, 401, 403, 404, 404, 405, 200, 200, 429, 429,
    ]);
    expect(responses.map((response) => rateOf(response)["X-RateLimit-Remaining"])).toEqual([
      8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0,
    ]);
    for (const response of responses) {
      expect(rateOf(response)["X-RateLimit-Limit"]).toBe(9);
      expect(rateOf(response)["X-RateLimit-Reset"]).toBe(START_MS / 1000 + 60);
    }
    const refused = responses[9];
    expect(refused?.headers.get("retry-after")).toBe("60");
    expect(served.Error.parse(await refused?.json()).error).toBe("rate_limit_exceeded");

    expect((await v3.send("/sync_status", bearer(token), "192.0.2.7")).status).toBe(200);
    v3.clock.ms += 59_999;
    expect((await v3.send("/sync_status", bearer(token))).status).toBe(429);
    v3.clock.ms += 1;
    expect((await v3.send("/sync_status", bearer(token))).status).toBe(200);
  });

  test("is separate for the token endpoint", async () => {
    v3 = await startTestService(await createTestDatabase(), {
      seed: TWO_COMPANIES,
      limit: 2,
      tokenLimit: 3,
    });
    const statuses = [];
    for (const secret of ["north-secret", "wrong", "north-secret", "north-secret"]) {
      const response = await v3.askToken({
        grant_type: "client_credentials",
        client_id: "nw",
        client_secret: secret,
      });
      statuses.push(response.status);
      expect(rateOf(response)["X-RateLimit-Limit"]).toBe(3);
    }
    expect(statuses).toEqual([200, 400, 200, 429]);
    expect((await v3.send("/oauth/token")).status).toBe(429);
    expect((await v3.send("/sync_status")).status).toBe(401);
  });

  test("is logged when reached, with the address and the name of the limit", async () => {
    v3 = await startTestService(await createTestDatabase(), {
      seed: TWO_COMPANIES,
      limit: 1,
      tokenLimit: 1,
    });
    for (let i = 0; i < 2; i++) {
      await v3.send("/nowhere", {}, "192.0.2.7");
      await v3.send("/oauth/token", {}, "192.0.2.8");
    }
    expect(v3.noted).toEqual([
      { event: "limit_hit", address: "192.0.2.7", limit: "v3_requests" },
      { event: "limit_hit", address: "192.0.2.8", limit: "v3_token_requests" },
    ]);
  });

  test("is reported on an internal error, whose cause is only logged", async () => {
    v3 = await startTestService(await createTestDatabase(), { seed: TWO_COMPANIES });
    const token = await v3.token("nw", "north-secret");
    await v3.asOwner("alter table v3.sync_configs rename to away");
    const response = await v3.send("/sync_status", bearer(token));
    expect(response.status).toBe(500);
    rateOf(response);
    const body = served.Error.parse(await response.json());
    expect(body.error).toBe("server_error");
    expect(JSON.stringify(body)).not.toContain("sync_configs");
    expect(v3.logged).toHaveLength(1);
    expect(JSON.stringify(v3.logged)).not.toContain(token);

    // Errors aren't cached.
    await v3.asOwner("alter table v3.away rename to sync_configs");
    expect((await v3.send("/sync_status", bearer(token))).status).toBe(200);
  });
});

test("serves recently read data without the database: the page, the key, the client", async () => {
  v3 = await startTestService(await createTestDatabase(), { seed: TWO_COMPANIES });
  const token = await v3.token("nw", "north-secret");
  expect((await v3.send("/sync_status", bearer(token))).status).toBe(200);
  await v3.asOwner("alter schema v3 rename to away");
  for (let count = 0; count < 3; count += 1) {
    expect((await v3.send("/sync_status", bearer(token))).status).toBe(200);
  }
  v3.clock.ms += 2_000;
  expect((await v3.send("/sync_status", bearer(token))).status).toBe(500);
});

describe("addresses and methods", () => {
  test("list the allowed methods in the response to an unknown method", async () => {
    v3 = await startTestService(await createTestDatabase());
    const allowed = async (path: string, method: string) => {
      const response = await v3.send(path, { method });
      rateOf(response);
      if (response.status !== 405) return response.status;
      expect(served.Error.parse(await response.json()).error).toBe("method_not_allowed");
      return response.headers.get("allow");
    };
    expect(await allowed("/oauth/token", "GET")).toBe("POST");
    expect(await allowed("/sync_status", "POST")).toBe("GET, HEAD");
    expect(await allowed("/sync_status", "OPTIONS")).toBe("GET, HEAD");
    expect(await allowed("/schedule_files", "DELETE")).toBe("GET, HEAD");
    expect(await allowed("/schedule_files/7", "PATCH")).toBe("GET, HEAD, DELETE");
    expect(await allowed("/openapi.json", "PUT")).toBe("GET, HEAD");
  });

  test("return 404 as JSON for an unknown address", async () => {
    v3 = await startTestService(await createTestDatabase());
    const paths = ["", "/", "/sync_status/", "/sync_status/1", "/Sync_Status", "/oauth", "/a/b/c"];
    for (const path of paths) {
      const response = await v3.send(path);
      rateOf(response);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(served.Error.parse(await response.json()).error).toBe("not_found");
    }
  });

  test("return the status and headers of a GET without a body for HEAD", async () => {
    v3 = await startTestService(await createTestDatabase(), { seed: TWO_COMPANIES });
    const init = bearer(await v3.token("nw", "north-secret"));
    const got = await v3.send("/sync_status", init);
    const head = await v3.send("/sync_status", { method: "HEAD", ...init });
    expect(head.headers.get("etag")).toBe(got.headers.get("etag"));
    expect(await head.text()).toBe("");
    expect((await v3.send("/oauth/token", { method: "HEAD" })).status).toBe(405);
  });
});

const ask = (address?: string) =>
  answerV3(
    new Request("http://localhost/api/v3/openapi.json", {
      headers: address === undefined ? {} : { "x-plumbline-client-address": address },
    }),
  );

test("count a request once if its body is rejected as too large, with rate headers", async () => {
  v3 = await startTestService(await createTestDatabase(), { limit: 9 });
  const client = { clientAddress: "192.0.2.1", isCounted: false };
  setV3Service(null);
  const plain = { error: "payload_too_large", headers: {} };
  expect(tooLargeAnswer("/api/v3/sync_status", client)).toEqual(plain);
  setV3Service(v3.service);
  try {
    const remaining = (path: string, isCounted = false) => {
      const { error, headers } = tooLargeAnswer(path, { ...client, isCounted });
      expect(error).toBe("request_too_large");
      return rateOf(new Response(null, { headers }))["X-RateLimit-Remaining"];
    };
    expect(remaining("/api/v3/sync_status")).toBe(8);
    expect(remaining("/api/v3")).toBe(7);
    expect(remaining("/api/v3/sync_status", true)).toBe(7);
    // Tokens have a separate limit.
    const token = remaining("/api/v3/oauth/token");
    expect(remaining("/api/v3/oauth/token")).toBe(token - 1);
    for (let i = 0; i < 20; i++) remaining("/api/v3/sync_status");
    expect(remaining("/api/v3/sync_status")).toBe(0);
    expect(tooLargeAnswer("/api/v3x", client)).toEqual(plain);
    expect(tooLargeAnswer("/api/pair", client)).toEqual(plain);
  } finally {
    setV3Service(null);
  }
});

test("reach the running service, and return 404 without one", async () => {
  v3 = await startTestService(await createTestDatabase(), { limit: 1 });
  setV3Service(null);
  const off = await ask();
  expect(off.status).toBe(404);
  expect(served.Error.parse(await off.json()).error).toBe("not_found");
  setV3Service(v3.service);
  try {
    expect((await ask("192.0.2.1")).status).toBe(200);
    expect((await ask("192.0.2.1")).status).toBe(429);
    expect((await ask("192.0.2.2")).status).toBe(200);
    expect((await ask()).status).toBe(200);
  } finally {
    setV3Service(null);
  }
});
