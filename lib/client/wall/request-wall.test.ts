import { describe, expect, test } from "vitest";
import { browserTimeFixture } from "@/lib/client/browser-time-fixture";
import { requestWall, type WallFetch } from "./request-wall";

const isText = (body: unknown): body is string => typeof body === "string";
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const DATE = "Mon, 02 Mar 2026 12:00:00 GMT";
const failure = (error: string) => ({ error, error_description: "Said by us." });

const request = (fetch: WallFetch, body?: unknown) =>
  requestWall({ fetch, time: browserTimeFixture().time }, "/wall", isText, body);

describe("requestWall", () => {
  test("returns a successful response with the server's time", async () => {
    const fake = browserTimeFixture();
    const fetch = async () => {
      fake.pass(700);
      return json(200, "x", { date: DATE });
    };
    await expect(requestWall({ fetch, time: fake.time }, "/wall", isText)).resolves.toEqual({
      kind: "ok",
      value: "x",
      serverTime: { earliestMs: Date.parse(DATE), latestMs: Date.parse(DATE) + 1700 },
    });
  });

  test("doesn't know the server's time by a response during which the screen slept", async () => {
    const fake = browserTimeFixture();
    const fetch = async () => {
      fake.sleep(3_600_000);
      return json(200, "x", { date: DATE });
    };
    const response = await requestWall({ fetch, time: fake.time }, "/wall", isText);
    expect(response).toEqual({ kind: "ok", value: "x", serverTime: null });
  });

  test("accepts a response without a body", async () => {
    const fetch = async () => new Response(null, { status: 204 });
    const time = browserTimeFixture().time;
    const isAnything = (_body: unknown): _body is unknown => true;
    const answer = await requestWall({ fetch, time }, "/wall/report", isAnything, {});
    expect(answer).toEqual({ kind: "ok", value: null, serverTime: null });
  });

  test.each([
    [401, "unauthenticated", "unpaired"],
    [403, "forbidden", "ended"],
    [404, "not_found", "missing"],
    [403, "cross_site", "failed"],
    [401, "invalid_token", "failed"],
    [429, "too_many_requests", "failed"],
    [503, "unavailable", "failed"],
  ])("treats our %i %s as %s", async (status, error, kind) => {
    expect((await request(async () => json(status, failure(error)))).kind).toBe(kind);
  });

  test.each([
    ["a proxy's own 401", new Response("<h1>Sign in to the proxy</h1>", { status: 401 })],
    ["a proxy's JSON 403", json(403, { message: "forbidden" })],
    ["a captive portal's page", new Response("<html></html>", { status: 200 })],
    ["another shape", json(200, { rows: [] })],
    ["null", json(500, null)],
  ])("treats %s as an ordinary failure", async (_name, response) => {
    expect(await request(async () => response)).toEqual({ kind: "failed" });
  });

  test("treats a missing network as a failure", async () => {
    const fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    expect(await request(fetch)).toEqual({ kind: "failed" });
  });

  test("aborts a hanging request, even if the browser ignores the abort", async () => {
    const fake = browserTimeFixture();
    const signals: (AbortSignal | null | undefined)[] = [];
    const fetch: WallFetch = (_path, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const answer = requestWall({ fetch, time: fake.time }, "/wall", isText);
    fake.pass(9_999);
    expect(signals[0]?.aborted).toBe(false);
    fake.pass(1);
    expect(signals[0]?.aborted).toBe(true);
    await expect(answer).resolves.toEqual({ kind: "failed" });
  });

  test("leaves no timer behind", async () => {
    const fake = browserTimeFixture();
    await requestWall({ fetch: async () => json(200, "x"), time: fake.time }, "/wall", isText);
    expect(fake.timerCount()).toBe(0);
  });

  test("posts reports as JSON", async () => {
    let sent: RequestInit = {};
    await request(
      async (_path, init) => {
        sent = init;
        return json(200, "x");
      },
      { build: "one" },
    );
    expect(sent).toMatchObject({ method: "POST", body: '{"build":"one"}', cache: "no-store" });
    expect(sent.headers).toMatchObject({ "Content-Type": "application/json" });
  });
});
