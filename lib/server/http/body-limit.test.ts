import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { limitBody, MAX_BODY_BYTES } from "./body-limit.mjs";

const KB = 1024;
const NO_REFUSAL = () => ({ error: "payload_too_large", headers: {} });

/** Whether a body of that size is let through. */
function takes(url: string, bytes: number): boolean {
  const request = new IncomingMessage(new Socket());
  request.url = url;
  request.headers["content-length"] = String(bytes);
  return limitBody(request, new ServerResponse(request), {}, NO_REFUSAL);
}

test.each([
  ["/api/companies/northgate/promises/import", 1024 * KB],
  ["/api/companies/northgate/promises/import?a=/b", 1024 * KB],
  ["/api/connections/import", 256 * KB],
  ["/api/companies/northgate/promises", MAX_BODY_BYTES],
  ["/promises/import", MAX_BODY_BYTES],
  ["/api/auth/promises/import", MAX_BODY_BYTES],
  ["/api/companies/a/b/promises/import", MAX_BODY_BYTES],
  ["/x/api/connections/import", MAX_BODY_BYTES],
  ["/x?/api/connections/import", MAX_BODY_BYTES],
])("%s takes a body of at most %i bytes", (url, most) => {
  expect(takes(url, most)).toBe(true);
  expect(takes(url, most + 1)).toBe(false);
});
