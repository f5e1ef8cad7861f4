import { describe, expect } from "vitest";
import { toWebResponse, type HandlerResponse } from "@/lib/server/http/handler-response";
import { csvFile } from "@/lib/server/http/csv";
import type { RouteHandler } from "@/lib/server/http/handlers";
import {
  MAX_CONCURRENT,
  EXPORT_RUNNING,
  TOO_MANY_REQUESTS,
  MAX_QUEUED_MS,
  MAX_QUEUED,
} from "@/lib/server/request-limits";
import { appTest, createBrowser, type TestApp } from "./app-fixture";
import { createHandler } from "./route";
import { MINUTE_MS } from "@/lib/domain/time/units";

type Browser = ReturnType<typeof createBrowser>;

const test = appTest();
let viewer: Browser;
let again: Browser;
let other: Browser;
test.beforeAll(async ({ app }) => {
  await app.addPerson("viewer@example.com", "viewer", ["northgate"]);
  await app.addPerson("other@example.com", "viewer", ["northgate"]);
  const signedIn = async (email: string) => {
    const browser = createBrowser(app.runtime);
    await browser.signIn(email);
    return browser;
  };
  viewer = await signedIn("viewer@example.com");
  again = await signedIn("viewer@example.com");
  other = await signedIn("other@example.com");
});
// Each test has its own minute.
test.beforeEach(({ app }) => app.clock.advance(MINUTE_MS));
test.afterEach(({ app }) => app.clearLog());

const runtimeOf = (app: TestApp) => () => app.runtime;

/** A handler whose responses complete on demand, in the order in which its work started. */
function slowly(app: TestApp, answerOf: () => HandlerResponse = () => Response.json({})) {
  const inWork: (() => void)[] = [];
  const handler = createHandler(runtimeOf(app), { right: "view" }, async () => {
    await new Promise<void>((resolve) => void inWork.push(resolve));
    return answerOf();
  });
  const until = async (count: number) => {
    while (inWork.length < count) await new Promise(setImmediate);
  };
  return { handler, inWork, until };
}

const askFor = async (handler: RouteHandler, by: Browser, init: RequestInit = {}) =>
  toWebResponse(
    await handler(by.request("/api/companies/northgate/things", init), { company: "northgate" }),
  );

/** Lets all pending work run. */
async function settle() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** Resolves when this many requests wait for their turn. */
async function untilWaiting(app: TestApp, count: number) {
  const waiting = () => app.clock.sleeping().filter((ms) => ms > MAX_QUEUED_MS - 1_000).length;
  while (waiting() < count) await new Promise(setImmediate);
}

async function refusal(answer: Response) {
  return {
    status: answer.status,
    retryAfter: answer.headers.get("retry-after"),
    body: await answer.json(),
  };
}

describe("one session", () => {
  test("has six requests in progress, sixty waiting, and the next is refused", async ({ app }) => {
    const { handler, inWork, until } = slowly(app);
    const responses = Array.from({ length: MAX_CONCURRENT + MAX_QUEUED }, () =>
      askFor(handler, viewer),
    );
    await until(MAX_CONCURRENT);
    await untilWaiting(app, MAX_QUEUED);
    expect(inWork).toHaveLength(MAX_CONCURRENT);

    expect(await refusal(await askFor(handler, viewer))).toEqual({
      status: 429,
      retryAfter: "10",
      body: { error: "too_many_requests", error_description: TOO_MANY_REQUESTS },
    });
    expect(app.logged("limit_hit")).toEqual([
      expect.objectContaining({ limit: "requests_at_once", name: "viewer@example.com" }),
    ]);

    for (let ended = 0; ended < responses.length; ended += 1) {
      await until(ended + 1);
      inWork[ended]?.();
    }
    expect(new Set((await Promise.all(responses)).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
  });

  test("waits at most ten seconds for its turn", async ({ app }) => {
    const { handler, inWork, until } = slowly(app);
    const first = Array.from({ length: MAX_CONCURRENT }, () => askFor(handler, viewer));
    await until(MAX_CONCURRENT);
    const late = askFor(handler, viewer);
    await untilWaiting(app, 1);
    await app.clock.advance(MAX_QUEUED_MS - 1);
    inWork[0]?.();
    await until(MAX_CONCURRENT + 1);

    const tooLate = askFor(handler, viewer);
    await untilWaiting(app, 1);
    await app.clock.advance(MAX_QUEUED_MS);
    expect(await refusal(await tooLate)).toMatchObject({ status: 429, retryAfter: "10" });

    for (const end of inWork) end();
    expect((await late).status).toBe(200);
    await Promise.all(first);
  });

  test("serves waiting requests in order, and skips aborted ones", async ({ app }) => {
    const { handler, inWork, until } = slowly(app);
    const first = Array.from({ length: MAX_CONCURRENT }, () => askFor(handler, viewer));
    await until(MAX_CONCURRENT);
    const leaving = new AbortController();
    const left = askFor(handler, viewer, { signal: leaving.signal });
    await untilWaiting(app, 1);
    const next = askFor(handler, viewer);
    await untilWaiting(app, 2);
    leaving.abort();
    expect((await left).status).toBe(429);

    inWork[0]?.();
    await until(MAX_CONCURRENT + 1);
    await settle();
    for (const end of inWork) end();
    expect((await next).status).toBe(200);
    await Promise.all(first);
    expect(inWork).toHaveLength(MAX_CONCURRENT + 1);
    expect(app.logged("limit_hit")).toEqual([]);
  });

  test("frees its turn when a request fails", async ({ app }) => {
    const fails = createHandler(runtimeOf(app), { right: "view" }, async () => {
      throw new Error("broken");
    });
    for (let time = 0; time < MAX_CONCURRENT + 1; time += 1) {
      expect((await askFor(fails, viewer)).status).toBe(500);
    }
  });

  test("takes no turn from another session, or from the same person's other browser", async ({
    app,
  }) => {
    const { handler, inWork, until } = slowly(app);
    const first = Array.from({ length: MAX_CONCURRENT }, () => askFor(handler, viewer));
    await until(MAX_CONCURRENT);
    const others = [askFor(handler, other), askFor(handler, again)];
    await until(MAX_CONCURRENT + 2);
    for (const end of inWork) end();
    const answers = await Promise.all([...first, ...others]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test("has six hundred requests a minute, whatever they are for", async ({ app }) => {
    const ofCompany = createHandler(runtimeOf(app), { right: "view" }, () => Response.json({}));
    const ofNone = createHandler(runtimeOf(app), { right: null }, () => Response.json({}));
    for (let requests = 0; requests < 600; requests += 1) {
      const answer = await askFor(requests % 2 === 0 ? ofCompany : ofNone, viewer);
      expect(answer.status).toBe(200);
    }
    await app.clock.advance(20_000);
    expect(await refusal(await askFor(ofCompany, viewer))).toEqual({
      status: 429,
      retryAfter: "40",
      body: { error: "too_many_requests", error_description: TOO_MANY_REQUESTS },
    });
    expect(app.logged("limit_hit")).toEqual([
      expect.objectContaining({ limit: "requests_per_minute" }),
    ]);
    expect((await askFor(ofCompany, other)).status).toBe(200);
    await app.clock.advance(40_000);
    expect((await askFor(ofCompany, viewer)).status).toBe(200);
  });

  test("has ten times as many requests that return 304", async ({ app }) => {
    const unchanged = createHandler(runtimeOf(app), { right: "view" }, () => ({
      status: 304,
      headers: {},
      body: null,
    }));
    let requests = 0;
    while ((await askFor(unchanged, viewer)).status === 304) requests += 1;
    // The last of them must leave room for a full response.
    expect(requests).toBe(5_991);
  });
});

describe("exports", () => {
  const exporting = (app: TestApp, pieces: () => AsyncGenerator<string, void, void>) =>
    createHandler(runtimeOf(app), { right: "view" }, () => csvFile("things", pieces()));
  async function* table(): AsyncGenerator<string, void, void> {
    yield "a\r\n";
    yield "1\r\n";
  }

  test("are limited to one at a time per person, across browsers", async ({ app }) => {
    const handler = exporting(app, table);
    const first = await askFor(handler, viewer);
    for (const browser of [viewer, again]) {
      expect(await refusal(await askFor(handler, browser))).toEqual({
        status: 429,
        retryAfter: "30",
        body: { error: "too_many_requests", error_description: EXPORT_RUNNING },
      });
    }
    expect(app.logged("limit_hit")).toEqual([expect.objectContaining({ limit: "exports" })]);
    expect(await (await askFor(handler, other)).text()).toBe("a\r\n1\r\n");
    expect(await first.text()).toBe("a\r\n1\r\n");
    expect(await (await askFor(handler, again)).text()).toBe("a\r\n1\r\n");
  });

  test("don't include a HEAD, which streams nothing", async ({ app }) => {
    const handler = exporting(app, table);
    const running = await askFor(handler, viewer);
    for (let requests = 0; requests < 2; requests += 1) {
      expect((await askFor(handler, again, { method: "HEAD" })).status).toBe(200);
    }
    expect(await running.text()).toBe("a\r\n1\r\n");
  });

  test("end when their reader disconnects, started or not, and nothing more is read", async ({
    app,
  }) => {
    const read: string[] = [];
    const handler = exporting(app, async function* () {
      for (;;) {
        read.push("piece");
        yield "x".repeat(100_000);
      }
    });
    await (await askFor(handler, viewer)).body?.cancel();
    const begun = (await askFor(handler, viewer)).body?.getReader();
    await begun?.read();
    await begun?.cancel();
    const before = read.length;
    await settle();
    expect(read).toHaveLength(before);
    expect((await askFor(exporting(app, table), viewer)).status).toBe(200);
  });

  test("that fail in the middle abort, are logged, and free their turn", async ({ app }) => {
    const handler = exporting(app, async function* () {
      yield "a\r\n";
      throw new Error("broken");
    });
    const answer = await askFor(handler, other);
    await expect(answer.text()).rejects.toThrow("broken");
    expect(app.logged("request_failed")).toHaveLength(1);
    expect(await (await askFor(exporting(app, table), other)).text()).toBe("a\r\n1\r\n");
  });
});

test("gives a display, and each reader's address of a link, their own turns", async ({ app }) => {
  const { requestLimits } = app.runtime;
  const signal = new AbortController().signal;
  const clientKeys = [
    "display 1",
    "display 2",
    "link 1 192.0.2.1",
    "link 1 192.0.2.2",
    "link 2 192.0.2.1",
  ];
  for (const clientKey of clientKeys) {
    const taken = Array.from({ length: MAX_CONCURRENT }, () =>
      requestLimits.take(clientKey, { signal }),
    );
    expect(taken.some((turn) => turn instanceof Promise)).toBe(false);
  }
});
