import { createHash } from "node:crypto";
import type { PlainAnswer } from "./answer";

/** A JSON answer, ready to be sent as often as it is asked for. */
export type ReadyJson = { body: Uint8Array<ArrayBuffer>; etag: string };

/** @param text JSON; the ETag covers every byte of it */
export function readyJson(text: string): ReadyJson {
  const body = new TextEncoder().encode(text);
  const digest = createHash("sha256").update(body).digest("base64url");
  // Weak: the same answer may travel compressed or not.
  return { body, etag: `W/"${digest.slice(0, 27)}"` };
}

/**
 * The answer itself, or 304 to somebody who has it.
 * @param ifNoneMatch the request's header, null when absent
 */
export function answerReady(
  { body, etag }: ReadyJson,
  ifNoneMatch: string | null,
  cacheControl: "private, no-cache" | "private, no-store",
): PlainAnswer {
  const headers = { ETag: etag, "Cache-Control": cacheControl, Vary: "Cookie" };
  if (matches(ifNoneMatch, etag)) return { status: 304, headers, body: null };
  return {
    status: 200,
    headers: { ...headers, "Content-Type": "application/json; charset=utf-8" },
    body,
  };
}

/** If-None-Match compares weakly: `W/` makes no difference. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch === etag) return true;
  const wanted = etag.replace(/^W\//, "");
  return ifNoneMatch
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === "*" || tag === wanted);
}
