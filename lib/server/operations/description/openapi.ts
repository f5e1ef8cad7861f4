import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { FAILURE_STATUS, type FailureCode } from "@/lib/contracts/failure";
import { DESCRIBED, type Described } from "./described";
import { capital } from "@/lib/domain/text/capital";

const TOKEN = "apiToken";
const SESSION = "session";

/** Errors that every address may answer. */
const ALWAYS: readonly FailureCode[] = [
  "unauthenticated",
  "token_resting",
  "forbidden",
  "too_many_requests",
  "internal",
  "unavailable",
];
/** Errors of every request that changes something. */
const OF_CHANGES: readonly FailureCode[] = [
  "invalid_request",
  "cross_site",
  "payload_too_large",
  "unsupported_media_type",
];

const REASONS: Partial<Readonly<Record<FailureCode, string>>> = {
  invalid_request: "The request is invalid; the description names the property.",
  unauthenticated:
    "The token is missing, malformed, revoked or expired, or the person it belongs to is disabled.",
  token_resting:
    "The token is resting: the person it belongs to hasn't signed in for 30 days, or an administrator has to resume tokens after a restore.",
  forbidden: "The token's scope or the role of the person it belongs to doesn't allow it.",
  cross_site: "A browser sent it from another site.",
  not_found: "Not found, or not visible to the caller.",
  no_history: "There is no history of that time.",
  conflict: "The current state doesn't allow it.",
  payload_too_large: "The body is larger than 64 KB.",
  unsupported_media_type: "The body isn't JSON.",
  too_many: "There would be too many of them.",
  too_many_requests: "The token has reached its limit; Retry-After says when to try again.",
  internal: "Something went wrong on our side; X-Request-Id identifies it in our log.",
  upstream_unreachable: "The company's API didn't respond.",
  unavailable: "We can't answer now; Retry-After says when to try again.",
};

const HEADERS = z.object({
  "RateLimit-Limit": z.int().describe("Requests per minute."),
  "RateLimit-Remaining": z.int().describe("Requests left in the current minute."),
  "RateLimit-Reset": z.int().describe("Seconds until the next minute begins."),
});
const ErrorBody = z
  .object({
    error: z.enum(Object.keys(FAILURE_STATUS)).describe("A code for programs."),
    error_description: z.string().describe("A sentence for people."),
  })
  .meta({ id: "Error" });

const PARAMETERS: Readonly<Record<string, string>> = {
  company: "Slug of a company.",
  partner: "Name of a partner, percent-encoded.",
  endpoint: "Id of an endpoint, percent-encoded.",
  deletion: "Id of a deletion.",
  id: "Id of the item.",
};

/** The OpenAPI 3.1 document of the addresses that API tokens may request, generated from their contracts. */
export function openApiDocument() {
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: "Plumbline",
      version: "1.0.0",
      description:
        "Sync health of every partner endpoint. Instants are ISO 8601 unless a name ends in `_ms`. " +
        "A token may send 120 requests a minute and six at once. Every response about endpoints says how old its data is; " +
        "what isn't known is null or `unknown`, never reported as fine. A company that has an `external_id` has it beside " +
        "its slug, except in lists of slugs alone.",
    },
    servers: [{ url: "/" }],
    security: [{ [TOKEN]: [] }, { [SESSION]: [] }],
    components: {
      securitySchemes: {
        [TOKEN]: { type: "http", scheme: "bearer", bearerFormat: "plb_ and 36 characters" },
        [SESSION]: {
          type: "apiKey",
          in: "cookie",
          name: "next-auth.session-token",
          description: "Of a signed-in browser. Ignored with a token.",
        },
      },
    },
    paths: paths(),
  });
  describeUnits(document);
  return document;
}

function paths(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(DESCRIBED).map(([address, methods]) => [
      address.replaceAll(/\[(\w+)\]/g, "{$1}"),
      Object.fromEntries(
        Object.entries(methods).map(([method, described]) => [
          method.toLowerCase(),
          operation(address, method, described),
        ]),
      ),
    ]),
  );
}

function operation(
  address: string,
  method: string,
  { summary, description, query, body, ...rest }: Described,
): ZodOpenApiOperationObject {
  const names = [...address.matchAll(/\[(\w+)\]/g)].map(([, name = ""]) => name);
  const path = z.object(
    Object.fromEntries(names.map((name) => [name, z.string().describe(PARAMETERS[name] ?? "")])),
  );
  const isChange = method !== "GET";
  return {
    operationId: operationId(address, method),
    summary,
    ...(description !== undefined && { description }),
    requestParams: {
      ...(names.length > 0 && { path }),
      ...(query !== undefined && { query }),
    },
    ...(isChange && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: body ?? z.strictObject({}) } },
      },
    }),
    responses: responses(rest, [
      ...(rest.errors ?? []),
      ...(names.length > 0 ? (["not_found"] as const) : []),
      ...(isChange ? OF_CHANGES : []),
      ...ALWAYS,
    ]),
  };
}

/** "getCompaniesIncidents", unique per address and method. */
function operationId(address: string, method: string): string {
  const words = address
    .split("/")
    .slice(2)
    .map((segment) => segment.replace(/^\[(\w+)\]$/, "by-$1").replace(".", "-"))
    .flatMap((segment) => segment.split("-"));
  const rest = words.map((word) => capital(word));
  return `${method.toLowerCase()}${rest.join("")}`;
}

function responses(
  { answer, status = 200, isConditional }: Pick<Described, "answer" | "status" | "isConditional">,
  codes: readonly FailureCode[],
): NonNullable<ZodOpenApiOperationObject["responses"]> {
  const content =
    answer === "nothing"
      ? undefined
      : answer === "csv"
        ? { "text/csv": { schema: z.string() } }
        : { "application/json": { schema: answer } };
  const statuses = [...new Set(codes.map((code) => FAILURE_STATUS[code]))];
  const errors = statuses.map((one): [string, ZodOpenApiResponseObject] => [
    String(one),
    {
      description: [...new Set(codes)]
        .filter((code) => FAILURE_STATUS[code] === one)
        .map((code) => `\`${code}\`: ${REASONS[code] ?? ""}`)
        .join(" "),
      headers: HEADERS,
      content: { "application/json": { schema: ErrorBody } },
    },
  ]);
  return {
    [String(status)]: {
      description: answer === "nothing" ? "Done." : "The answer.",
      headers: HEADERS,
      ...(content && { content }),
    },
    ...(isConditional === true && {
      "304": {
        description: "Unchanged since the answer named in If-None-Match.",
        headers: HEADERS,
      },
    }),
    ...Object.fromEntries(errors),
  };
}

/** Units and formats by the ending of a property's name. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_seconds$/, "Seconds."],
  [/_minutes$/, "Minutes."],
  [/(?:offset|gap)_ms$/, "Milliseconds."],
  [/_ms$/, "Milliseconds since 1970-01-01T00:00:00Z."],
  [
    /(?:_at|_since|_until|^(?:as_of|at|from|until|since|last_success_at))$/,
    "An instant, ISO 8601.",
  ],
  [/^(?:on_time|overdue|planned_quiet|not_observed)(?:_of_checked)?$/, "Percent."],
  [/_last_24h$/, "Requests in the 24 hours before."],
];

type Schema = {
  properties?: Record<string, Schema>;
  type?: string | string[];
  description?: string;
  anyOf?: Schema[];
};

/** Adds a description with the unit to every number and text that has none and whose name tells it. */
function describeUnits(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const { properties } = value as Schema;
  if (typeof properties === "object" && properties !== null) {
    for (const [name, schema] of Object.entries(properties)) {
      if (typeof schema !== "object" || schema.description !== undefined || !isSingle(schema))
        continue;
      const unit = UNITS.find(([ending]) => ending.test(name))?.[1];
      if (unit !== undefined) schema.description = unit;
    }
  }
  for (const member of Object.values(value)) describeUnits(member);
}

/** A number or a text, which may be null. */
function isSingle({ type, anyOf }: Schema): boolean {
  const types = [type, ...(anyOf ?? []).map((one) => one.type)].flat();
  return (
    types.some((one) => ["number", "integer", "string"].includes(one ?? "")) &&
    !types.includes("object") &&
    !types.includes("array")
  );
}
