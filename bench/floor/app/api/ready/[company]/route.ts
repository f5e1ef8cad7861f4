import { createHash } from "node:crypto";

export const dynamic = "force-dynamic";

let body = new Uint8Array<ArrayBuffer>(new ArrayBuffer(0));
let etag = '""';

/** A prepared buffer with its ETag, or a 304: the minimum cost of a handler. */
export function GET(request: Request): Response {
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (request.headers.get("if-none-match") === etag) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(body, { headers: { ...headers, "Content-Type": "application/json" } });
}

/** Replaces the prepared JSON. */
export async function PUT(request: Request): Promise<Response> {
  body = new Uint8Array(await request.arrayBuffer());
  etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  return new Response(null, { status: 204 });
}
