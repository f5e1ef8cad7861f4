import { Failure } from "@/lib/contracts/failure";
import { authCookies, isSealed, parseCookies } from "@/lib/server/auth/cookies";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { ownPath } from "@/lib/server/http/own-path";
import { readBody, readJsonBody } from "./request-body";
import { NOT_TEXT_FIELDS } from "./words";

/**
 * Only cookies of these exact names reach next-auth, which would also join `name.0`, `name.1`, ...;
 * and of encrypted ones only those that are ours.
 */
export function knownCookies(appUrl: string, request: HttpRequest): Map<string, string> {
  const names = authCookies(appUrl);
  const cookies = parseCookies(request.headers.get("cookie"));
  const known = new Map<string, string>();
  for (const { name } of Object.values(names)) {
    const value = cookies.get(name);
    if (value === undefined) continue;
    const isPlain = [names.callbackUrl.name, names.csrfToken.name].includes(name);
    if (!isPlain && !isSealed(value)) continue;
    known.set(name, name === names.callbackUrl.name ? `${appUrl}${ownPath(value, appUrl)}` : value);
  }
  return known;
}

/** The fields of a form, or of a JSON object. */
export async function readFields(request: HttpRequest): Promise<Record<string, string>> {
  if (!request.headers.get("content-type")?.includes("application/json")) {
    return Object.fromEntries(new URLSearchParams(await readBody(request)));
  }
  const given = (await readJsonBody(request)) ?? {};
  if (typeof given !== "object" || Array.isArray(given)) throw notFields();
  const fields = Object.entries(given).map(([name, value]) => {
    if (typeof value === "object" && value !== null) throw notFields();
    return [name, String(value)];
  });
  return Object.fromEntries(fields) as Record<string, string>;
}

function notFields(): Failure {
  return new Failure("invalid_request", NOT_TEXT_FIELDS);
}

/**
 * Query or body reduced to what next-auth may receive. It copies `error` into a `Location`
 * unchanged, and fails on an unparsable `callbackUrl` before calling its `redirect` callback.
 */
export function plainFields(
  fields: Iterable<readonly [string, string]>,
  appUrl: string,
): Record<string, string> {
  const plain = Object.fromEntries(fields);
  if (plain["error"] !== undefined) plain["error"] = plainWordOrUnknown(plain["error"]);
  if (plain["callbackUrl"] !== undefined) {
    plain["callbackUrl"] = ownPath(plain["callbackUrl"], appUrl);
  }
  return plain;
}

/** Codes of errors, actions and providers are plain words; anything else is dropped. */
export function plainWordOrUnknown(given: string): string {
  return /^[\w-]{1,64}$/.test(given) ? given : "unknown";
}
