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
export async function answerV3(request: Request): Promise<Response> {
  const service = getV3Service();
  if (!service) {
    return Response.json(
      { error: "not_found", error_description: "The v3 API is not served here." },
      { status: 404, headers: { "Cache-Control": "no-store" } },
    );
  }
  const clientAddress = request.headers.get(CLIENT_ADDRESS_HEADER) ?? "127.0.0.1";
  return await service.handle(request, { clientAddress });
}
