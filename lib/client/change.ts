import { ask, type Answer } from "./api";

// In a file of their own: no page changes anything at first.

/**
 * Asks our server to change something. Once sent it is not taken back: only the time limit ends it.
 * @param body sent as JSON
 * @param idempotencyKey a UUID, the same for each repetition of the same wish; undefined where a
 * repetition does no harm
 * @param timeoutMs for what may take longer than anything else
 * @throws ApiError as `get` does; with status 0 the server may or may not have done it
 */
export async function post<T>(
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
  idempotencyKey?: string,
  timeoutMs?: number,
): Promise<Answer<T>> {
  const key = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  return send("POST", path, body, isValid, key, timeoutMs);
}

/** Asks our server to change what is there; otherwise as `post`. */
export async function patch<T>(
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
): Promise<Answer<T>> {
  return send("PATCH", path, body, isValid);
}

/** Asks our server to make something as it is said here; otherwise as `post`. */
export async function put<T>(
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
): Promise<Answer<T>> {
  return send("PUT", path, body, isValid);
}

/** Asks our server to end what is there; otherwise as `post`. */
export async function remove<T>(
  path: string,
  isValid: (body: unknown) => body is T,
): Promise<Answer<T>> {
  return send("DELETE", path, {}, isValid);
}

function send<T>(
  method: string,
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
  more: Record<string, string> = {},
  timeoutMs?: number,
): Promise<Answer<T>> {
  const headers = { "Content-Type": "application/json", ...more };
  return ask(path, { method, headers, body: JSON.stringify(body) }, isValid, undefined, timeoutMs);
}
