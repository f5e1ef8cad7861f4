import { asResponse, type Answer } from "@/lib/server/http/answer";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { LENGTH } from "./routed-headers.mjs";

/**
 * Converts a response for Next. A stream ends when the client disconnects, even if Next never starts to read it; the
 * response to HEAD has no body.
 */
export async function toResponse(
  answer: Answer,
  { method, signal }: Pick<HttpRequest, "method" | "signal">,
): Promise<Response> {
  if ("pieces" in answer) {
    const { status, headers, pieces } = answer;
    if (method === "HEAD" || signal.aborted) {
      await pieces.return();
      return new Response(null, { status, headers });
    }
    signal.addEventListener("abort", () => void pieces.return().catch(() => {}), { once: true });
    return asResponse(answer);
  }
  const response = asResponse(answer);
  const { status } = response;
  if (status === 204 || status === 304) return response;
  const body = response.body === null ? null : await response.arrayBuffer();
  const headers = new Headers(response.headers);
  headers.set(LENGTH, String(body?.byteLength ?? 0));
  return new Response(method === "HEAD" ? null : body, { status, headers });
}
