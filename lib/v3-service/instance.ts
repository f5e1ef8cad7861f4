import { errorAnswer, type Answer, type HttpRequest } from "./answers";
import type { V3Service } from "./service";

/**
 * The running service of this process. On `globalThis`, because startup code and route handlers are separate bundles
 * with separate module instances.
 */
const KEY = Symbol.for("plumbline.v3-service");
type Holder = { [KEY]?: V3Service | null };

/** Makes the service available to the route handlers; null removes it. */
export function setV3Service(service: V3Service | null): void {
  (globalThis as Holder)[KEY] = service;
}

/** Null while the service is disabled. */
export function getV3Service(): V3Service | null {
  return (globalThis as Holder)[KEY] ?? null;
}

/** Header in which our own server passes the client address of the socket or of a trusted proxy. */
const CLIENT_ADDRESS_HEADER = "x-plumbline-client-address";

/** Forwards a request under `/api/v3` to the running service; 404 while it is disabled. */
export async function askV3(request: HttpRequest): Promise<Answer> {
  const service = getV3Service();
  if (!service) return errorAnswer("not_found", "The v3 API isn't served here.");
  // Requests without an address share a separate limit.
  const clientAddress = request.headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
  return await service.answer(request, { clientAddress });
}

/**
 * The response to an oversized body, by path: under `/api/v3` in the service's format.
 * @param client see `V3Service.rateHeaders`
 */
export function tooLargeAnswer(
  path: string,
  client: { clientAddress: string; isCounted: boolean },
): { error: string; headers: Record<string, string> } {
  const service = getV3Service();
  if (service === null || !/^\/api\/v3(?:\/|$)/.test(path)) {
    return { error: "payload_too_large", headers: {} };
  }
  return { error: "request_too_large", headers: service.rateHeaders(path, client) };
}

/** Like `askV3`, but for Next. */
export async function answerV3(request: Request): Promise<Response> {
  const { status, body, headers } = await askV3(request);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}
