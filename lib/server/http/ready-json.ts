import { createHash } from "node:crypto";
import type { PlainResponse } from "./handler-response";

/** A serialised JSON response that can be sent repeatedly. */
export type ReadyJson = { etag: string; whole: PlainResponse; notModified: PlainResponse };

/**
 * @param json its text, or that encoded; the ETag covers every byte of it
 * @param cacheControl the `Cache-Control` header
 */
export function readyJson(
  json: string | Uint8Array<ArrayBuffer>,
  cacheControl: "private, no-cache" | "private, no-store",
): ReadyJson {
  const body = typeof json === "string" ? new TextEncoder().encode(json) : json;
  const digest = createHash("sha256").update(body).digest("base64url");
  // Weak: the same response may be sent compressed or not.
  const etag = `W/"${digest.slice(0, 27)}"`;
  const headers = { etag, "cache-control": cacheControl, vary: "Cookie" };
  return {
    etag,
    whole: {
      status: 200,
      headers: { ...headers, "content-type": "application/json; charset=utf-8" },
      body,
    },
    notModified: { status: 304, headers, body: null },
  };
}

/**
 * The response, or 304 for a matching ETag.
 * @param ifNoneMatch the request's header, null when absent
 */
export function respondWithReadyJson(
  { etag, whole, notModified }: ReadyJson,
  ifNoneMatch: string | null,
): PlainResponse {
  return matches(ifNoneMatch, etag) ? notModified : whole;
}

/**
 * Whether a response is the one that a client has. Compares weakly: `W/` makes no difference.
 * @param ifNoneMatch the request's header, null when absent
 */
export function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === etag) return true;
  const current = etag.replace(/^W\//, "");
  return ifNoneMatch
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === "*" || tag === current);
}
