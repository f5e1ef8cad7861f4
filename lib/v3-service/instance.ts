import { errorAnswer, type Answer, type HttpRequest } from "./answers";
import type { V3Service } from "./service";

/**
 * The running service of this process. On `globalThis`, because the start and the route handlers
 * are bundled apart and would each have a module of their own.
 */
const KEY = Symbol.for("plumbline.v3-service");
type Holder = { [KEY]?: V3Service | null };

/** Makes the service reachable for the route handlers; null takes it off. */
export function setV3Service(service: V3Service | null): void {
  (globalThis as Holder)[KEY] = service;
}

/** Null while the service is off. */
export function getV3Service(): V3Service | null {
  return (globalThis as Holder)[KEY] ?? null;
}

/** Header in which our own server tells the socket's (or a trusted proxy's) client address. */
const CLIENT_ADDRESS_HEADER = "x-plumbline-client-address";

/** Hands a request under `/api/v3` to the running service; 404 while it is off. */
export async function askV3(request: HttpRequest): Promise<Answer> {
  const service = getV3Service();
  if (!service) return errorAnswer("not_found", "The v3 API isn't served here.");
  // A request whose address nobody told has a limit of its own: it is nobody else's.
  const clientAddress = request.headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
  return await service.answer(request, { clientAddress });
}

/**
 * What a body that is too large is answered with, by path: under `/api/v3` in the service's own words.
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

/** The same for Next. */
export async function answerV3(request: Request): Promise<Response> {
  const { status, body, headers } = await askV3(request);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}
