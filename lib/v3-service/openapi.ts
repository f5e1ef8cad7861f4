import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiSecuritySchemeObject,
} from "zod-openapi";
import {
  requests,
  SCOPES,
  served,
  TOKEN_LIFETIME_SECONDS,
  V3_ERROR_STATUS,
  type Scope,
  type V3ErrorCode,
} from "@/lib/contracts/v3";

const TOKEN_PATH = "/oauth/token";
const OAUTH = "clientCredentials";
const BEARER = "bearerToken";

const SCOPE_MEANINGS: Record<Scope, string> = {
  "read:schedule_files": "List schedule files and read one.",
  "write:schedule_files": "Delete schedule files.",
  "read:sync_status": "Read the sync status of every endpoint.",
};

const securitySchemes: Record<string, ZodOpenApiSecuritySchemeObject> = {
  [OAUTH]: {
    type: "oauth2",
    description: `Tokens last ${TOKEN_LIFETIME_SECONDS} seconds; there are no refresh tokens.`,
    flows: {
      clientCredentials: {
        tokenUrl: `/api/v3${TOKEN_PATH}`,
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_MEANINGS[scope]])),
      },
    },
  },
  [BEARER]: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
};

/** Errors that every address can return to any caller. */
const ALWAYS: readonly V3ErrorCode[] = ["rate_limit_exceeded", "server_error"];
const WITH_TOKEN: readonly V3ErrorCode[] = ["invalid_token", "insufficient_scope", ...ALWAYS];

const REASONS: Record<V3ErrorCode, string> = {
  invalid_request: "The request is invalid.",
  invalid_client: "client_id or client_secret is missing or wrong.",
  unsupported_grant_type: "grant_type is not client_credentials.",
  unauthorized_client: "The client isn't registered for the client_credentials grant.",
  invalid_scope: "The requested scope exceeds the client's registered scopes.",
  invalid_token: "The token is missing or invalid.",
  insufficient_scope: "The token doesn't have the scope that the operation needs.",
  not_found: "Not found, or it belongs to another company.",
  method_not_allowed: "The address doesn't accept the method; Allow lists those it accepts.",
  request_too_large: "The body is too large.",
  rate_limit_exceeded: "The rate limit was exceeded; wait until X-RateLimit-Reset.",
  server_error: "Something went wrong on our side.",
};

let json: string | undefined;

/** The OpenAPI 3.1 document as JSON text, generated once from the contracts. */
export function openApiJson(): string {
  json ??= JSON.stringify(openApiDocument());
  return json;
}

export function openApiDocument() {
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "API v3",
      version: "1.0.0",
      description:
        "Sync status and schedule files of the company that owns the API client. " +
        "Every response carries the three X-RateLimit headers.",
    },
    servers: [{ url: "/api/v3" }],
    components: {
      securitySchemes,
      schemas: {
        SyncStatus: served.SyncStatus,
        ScheduleFile: served.ScheduleFile,
        PaginationMeta: served.PaginationMeta,
        Error: served.Error,
      },
    },
    paths: {
      [TOKEN_PATH]: {
        post: {
          operationId: "issueToken",
          summary: "Issue an access token",
          security: [],
          requestBody: {
            required: true,
            content: { "application/x-www-form-urlencoded": { schema: requests.TokenForm } },
          },
          responses: responses("The token.", served.TokenResponse, [
            "invalid_request",
            "invalid_client",
            "unsupported_grant_type",
            "unauthorized_client",
            "invalid_scope",
            "request_too_large",
            ...ALWAYS,
          ]),
        },
      },
      "/sync_status": {
        get: {
          operationId: "listSyncStatus",
          summary: "List the sync status of every endpoint",
          description:
            "One row per sync config, sorted by (partner name, endpoint key) in byte order. " +
            "A page is cached for 60 seconds.",
          security: security("read:sync_status"),
          requestParams: { query: requests.SyncStatusQuery },
          responses: {
            ...responses("One page.", served.SyncStatusList, ["invalid_request", ...WITH_TOKEN]),
            304: { description: "The page is the one named in If-None-Match.", headers: HEADERS },
          },
        },
      },
      "/schedule_files": {
        get: {
          operationId: "listScheduleFiles",
          summary: "List schedule files, newest first",
          security: security("read:schedule_files"),
          requestParams: { query: requests.ScheduleFilesQuery },
          responses: responses("One page.", served.ScheduleFileList, WITH_TOKEN),
        },
      },
      "/schedule_files/{id}": {
        get: {
          operationId: "getScheduleFile",
          summary: "Get one schedule file",
          security: security("read:schedule_files"),
          requestParams: { path: requests.ScheduleFilePath },
          responses: responses("The file.", served.ScheduleFile, ["not_found", ...WITH_TOKEN]),
        },
        delete: {
          operationId: "deleteScheduleFile",
          summary: "Delete a schedule file",
          description: "A queued job removes its derived data later.",
          security: security("write:schedule_files"),
          requestParams: { path: requests.ScheduleFilePath },
          responses: responses("The file was deleted.", served.DeleteResult, [
            "not_found",
            "request_too_large",
            ...WITH_TOKEN,
          ]),
        },
      },
    },
  });
}

const HEADERS = served.RateLimitHeaders;

/** The successful response, and one entry per status for the error codes. */
function responses(
  description: string,
  schema: z.ZodType,
  codes: readonly V3ErrorCode[],
): NonNullable<ZodOpenApiOperationObject["responses"]> {
  const statuses = [...new Set(codes.map((code) => V3_ERROR_STATUS[code]))];
  const errors = statuses.map((status): [string, ZodOpenApiResponseObject] => [
    String(status),
    {
      description: codes
        .filter((code) => V3_ERROR_STATUS[code] === status)
        .map((code) => `\`${code}\`: ${REASONS[code]}`)
        .join(" "),
      headers: HEADERS,
      content: { "application/json": { schema: served.Error } },
    },
  ]);
  return {
    200: { description, headers: HEADERS, content: { "application/json": { schema } } },
    ...Object.fromEntries(errors),
  };
}

function security(scope: Scope) {
  return [{ [OAUTH]: [scope] }, { [BEARER]: [] }];
}
