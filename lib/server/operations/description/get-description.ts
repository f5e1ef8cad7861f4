import type { PlainResponse } from "@/lib/server/http/handler-response";
import { sharedState } from "@/lib/server/shared-state";
import { openApiDocument } from "./openapi";

/**
 * The OpenAPI 3.1 document of the addresses that API tokens may request: `GET /api/openapi.json`.
 * @param runtime owner of the answer, which is generated once
 */
export function getDescription(runtime: object): PlainResponse {
  return sharedState(runtime, "openapi", () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(openApiDocument()),
  }));
}
