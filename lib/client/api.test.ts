import { afterEach, expect, test, vi } from "vitest";
import { get, statusOf } from "./api";
import { isRecord } from "./snapshot";
import { isSessionOver, lastResponseMs, recordResponse } from "./session/session";

afterEach(() => {
  vi.unstubAllGlobals();
  recordResponse(true, null);
});

const respond = (status: number, body: string) =>
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(body, { status })));
const statusOfGet = () =>
  get("/companies", isRecord, new AbortController().signal).then(() => 200, statusOf);

test("ends the session on Plumbline's own 401", async () => {
  respond(401, '{"error":"unauthenticated","error_description":"Sign in."}');
  expect(await statusOfGet()).toBe(401);
  expect(isSessionOver()).toBe(true);
});

test.each([
  ["page", "<html><body><h1>401 Authorization Required</h1></body></html>"],
  ["error", '{"error":"access_denied"}'],
  ["empty body", ""],
])("takes a proxy's 401 for no response: %s", async (_, body) => {
  respond(401, body);
  expect(await statusOfGet()).toBe(0);
  expect(isSessionOver()).toBe(false);
});

test("takes a proxy's page for no response of an authenticated session", async () => {
  recordResponse(true, 1_000);
  respond(401, '{"error":"unauthenticated","error_description":"Sign in."}');
  await statusOfGet();
  const headers = {
    "content-type": "text/html; charset=utf-8",
    date: new Date(9e11).toUTCString(),
  };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>Sign in</html>", { headers })));
  expect(await statusOfGet()).toBe(0);
  expect(isSessionOver()).toBe(true);
  expect(lastResponseMs()).toBe(1_000);
});
