/** A password check is deliberately slow, but a hanging connection must still end in an error message. */
const TIMEOUT_MS = 15_000;

/**
 * Posts a form to a next-auth address, without its client library in the bundle.
 * @param path of the address
 * @param callbackUrl where next-auth redirects afterwards
 * @returns its response, whatever its status
 * @throws if there was no usable response in time
 */
export async function postToAuth(
  path: string,
  fields: Record<string, string>,
  callbackUrl = "/",
): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const csrf = await fetch("/api/auth/csrf", { cache: "no-store", signal });
  const answer: unknown = csrf.ok ? await csrf.json() : null;
  const csrfToken = (answer as { csrfToken?: unknown } | null)?.csrfToken;
  if (typeof csrfToken !== "string") throw new Error("no csrf token");
  return fetch(path, {
    method: "POST",
    // `json`: next-auth responds with a status instead of a redirect.
    body: new URLSearchParams({ ...fields, csrfToken, callbackUrl, json: "true" }),
    signal,
  });
}
