import { requestJson, type ApiResponse } from "./api";

// In a separate file, because no page needs it for its first load.

/**
 * Sends a POST to our server. Once sent it isn't aborted except by the timeout.
 * @param body sent as JSON
 * @param idempotencyKey a UUID, the same for each retry of one request; undefined if a retry is harmless
 * @param timeoutMs for requests that may take longer than usual
 * @throws ApiError as `get` does; with status 0 the server may or may not have processed it
 */
export async function post<T>(
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
  idempotencyKey?: string,
  timeoutMs?: number,
): Promise<ApiResponse<T>> {
  const key = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  return send("POST", path, body, isValid, key, timeoutMs);
}

/** Sends a PATCH; otherwise like `post`. */
export async function patch<T>(
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
  timeoutMs?: number,
): Promise<ApiResponse<T>> {
  return send("PATCH", path, body, isValid, {}, timeoutMs);
}

/** Sends a PUT; otherwise like `post`. */
export async function put<T>(
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
  timeoutMs?: number,
): Promise<ApiResponse<T>> {
  return send("PUT", path, body, isValid, undefined, timeoutMs);
}

/** Sends a DELETE; otherwise like `post`. */
export async function remove<T>(
  path: string,
  isValid: (body: unknown) => body is T,
  body: unknown = {},
): Promise<ApiResponse<T>> {
  return send("DELETE", path, body, isValid);
}

/** A random UUID, version 4. Pages over plain HTTP from another host lack `randomUUID`. */
export function newKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  });
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function send<T>(
  method: string,
  path: string,
  body: unknown,
  isValid: (body: unknown) => body is T,
  more: Record<string, string> = {},
  timeoutMs?: number,
): Promise<ApiResponse<T>> {
  const headers = { "Content-Type": "application/json", ...more };
  return requestJson(
    path,
    { method, headers, body: JSON.stringify(body) },
    isValid,
    undefined,
    timeoutMs,
  );
}
