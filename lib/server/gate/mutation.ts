import { Failure } from "@/lib/contracts/failure";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { Person } from "@/lib/server/auth/person";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { refuseCrossSite, requestOrigin } from "./own-origin";
import { readBody, readJsonBody } from "./request-body";
import { NOT_JSON } from "./words";

type Runtime = Pick<AuthRuntime, "appUrl" | "securityLog">;

/**
 * The JSON of a mutation; undefined without a body.
 * @param person who sent it, as far as that is known
 * @param hasToken it was sent with a token, which no browser adds to other sites' requests: the origin may be missing
 * @param mostBytes size limit; default: 64 KB
 * @throws Failure `unsupported_media_type`, `cross_site`, `payload_too_large`, `invalid_request`
 */
export async function readMutation(
  runtime: Runtime,
  request: HttpRequest,
  person: Person | null,
  hasToken = false,
  mostBytes?: number,
): Promise<unknown> {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") throw new Failure("unsupported_media_type", NOT_JSON);
  // A missing origin is refused like a foreign one: every browser sends it.
  const origin = requestOrigin(request.headers, runtime.appUrl);
  if (origin !== "own" && !(hasToken && origin === "unsaid")) {
    throw refuseCrossSite(runtime.securityLog, request.headers, person);
  }
  return readJsonBody(request, mostBytes);
}

/**
 * Reads a form of one of our pages without `Referer`. Browsers send `Origin: null` from them, so the fields have to
 * prove where they come from; an origin that is named must be ours.
 * @throws Failure `cross_site`, `payload_too_large`
 */
export async function readForm(
  { appUrl, securityLog }: Runtime,
  request: HttpRequest,
): Promise<URLSearchParams> {
  const { headers } = request;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin") ?? "null";
  const isForeign =
    origin === "null"
      ? site !== null && site !== "same-origin"
      : requestOrigin(headers, appUrl) === "foreign";
  if (isForeign) throw refuseCrossSite(securityLog, headers, null);
  return new URLSearchParams(await readBody(request));
}
