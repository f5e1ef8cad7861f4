import { createServer, get, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect } from "vitest";
import { appTest, createBrowser } from "@/lib/server/gate/app-fixture";
import { createHandler } from "@/lib/server/gate/route";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { httpRequestOf } from "@/lib/server/http/http-request";
import { sendResponse } from "@/lib/server/http/send-response";
import { MAX_CONCURRENT, MAX_QUEUED_MS } from "@/lib/server/request-limits";
import { renderInTurn } from "./page-turns";

const test = appTest();
let viewer: ReturnType<typeof createBrowser>;
let server: Server;
let rendered: ServerResponse[] = [];
test.beforeAll(async ({ app }) => {
  await app.addPerson("viewer@example.com", "viewer", ["northgate"]);
  viewer = createBrowser(app.runtime);
  await viewer.signIn("viewer@example.com");
  server = createServer((request, response) => {
    request.headers["x-plumbline-origin"] = "http://localhost:3000";
    const render = () => void rendered.push(response);
    void renderInTurn(app.runtime, httpRequestOf(request, response), response, render).then(
      (page) => page && sendResponse(request, response, page, []),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
});

/** Requests a page, with the status of its response once there is one. */
function ask(cookie: string) {
  const { port } = server.address() as AddressInfo;
  let status: number | undefined;
  const request = get({ port, host: "127.0.0.1", path: "/northgate", headers: { cookie } });
  request.on("error", () => undefined);
  request.on("response", (response) => {
    status = response.statusCode;
    response.resume();
  });
  return { request, status: () => status };
}

async function until(holds: () => boolean) {
  while (!holds()) await new Promise(setImmediate);
}

test("counts pages and JSON of a session together, and nothing for visitors without one", async ({
  app,
}) => {
  rendered = [];
  const pages = Array.from({ length: MAX_CONCURRENT }, () => ask(viewer.cookieHeader()));
  await until(() => rendered.length === MAX_CONCURRENT);
  const list = createHandler(
    () => app.runtime,
    { right: null },
    () => Response.json({}),
  );
  let isAnswered = false;
  const json = (async () => {
    const answer = toWebResponse(await list(viewer.request("/api/companies"), {}));
    isAnswered = true;
    return answer;
  })();
  ask("");
  await until(() => rendered.length === MAX_CONCURRENT + 1);
  expect(isAnswered).toBe(false);

  rendered[0]?.end();
  expect((await json).status).toBe(200);
  const more = ask(viewer.cookieHeader());
  await until(() => rendered.length === MAX_CONCURRENT + 2);

  const late = ask(viewer.cookieHeader());
  await until(() => app.clock.sleeping().some((ms) => ms > MAX_QUEUED_MS - 1_000));
  await app.clock.advance(MAX_QUEUED_MS);
  await until(() => late.status() !== undefined);
  expect(late.status()).toBe(429);

  for (const response of rendered) response.end();
  await until(() => [...pages, more].every(({ status }) => status() === 200));
});

test("frees the turn when a reader disconnects during rendering", async () => {
  rendered = [];
  const pages = Array.from({ length: MAX_CONCURRENT }, () => ask(viewer.cookieHeader()));
  await until(() => rendered.length === MAX_CONCURRENT);
  const next = ask(viewer.cookieHeader());
  for (const { request } of pages) request.destroy();
  await until(() => rendered.length === MAX_CONCURRENT + 1);
  rendered.at(-1)?.end();
  await until(() => next.status() === 200);
  expect(next.status()).toBe(200);
});
