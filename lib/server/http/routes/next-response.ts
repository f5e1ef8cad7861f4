import { toWebResponse, type HandlerResponse } from "@/lib/server/http/handler-response";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { LENGTH } from "./routed-headers.mjs";

/**
 * Converts a response for Next. A stream ends when the client disconnects, even if Next never starts to read it; the
 * response to HEAD has no body.
 */
export async function toResponse(
  answer: HandlerResponse,
  { method, signal }: Pick<HttpRequest, "method" | "signal">,
): Promise<Response> {
  if ("pieces" in answer) {
    const { status, headers, pieces } = answer;
    if (method === "HEAD" || signal.aborted) {
      await pieces.return();
      return new Response(null, { status, headers });
    }
    signal.addEventListener("abort", () => void pieces.return().catch(() => {}), { once: true });
    return toWebResponse(answer);
  }
  const { status } = answer;
  const isHead = method === "HEAD";
  if (!(answer instanceof Response)) {
    const response = toWebResponse(answer);
    return withLength(
      response,
      Buffer.byteLength(answer.body ?? ""),
      isHead ? null : response.body,
    );
  }
  if (status === 204 || status === 304) return answer;
  const body = answer.body === null ? null : await answer.arrayBuffer();
  return withLength(answer, body?.byteLength ?? 0, isHead ? null : body);
}

function withLength(
  { status, headers }: Response,
  length: number,
  body: BodyInit | null,
): Response {
  const own = new Headers(headers);
  if (status !== 204 && status !== 304) own.set(LENGTH, String(length));
  return new Response(body, { status, headers: own });
}
