import { afterEach, expect, test, vi } from "vitest";
import { get, statusOf } from "./api";
import { isRecord } from "./snapshot";
import { isSessionOver, recordResponse } from "./session/session";

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
