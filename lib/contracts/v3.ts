import { z } from "zod";
import { checkedList } from "./checked-list";

/**
 * The v3 API in zod, with its wire names. Every resource is defined twice: strict (`served.*`) for what our own service
 * sends, tolerant (`read.*`) for any upstream's responses: unknown members and enum values are preserved, wrong types
 * and absurd sizes are rejected.
 */

export const SCOPES = ["read:schedule_files", "write:schedule_files", "read:sync_status"] as const;
export type Scope = (typeof SCOPES)[number];
export const SYNC_STATUSES = ["active", "inactive", "webhook"] as const;
export const LAST_SYNC_STATUSES = [
  "completed",
  "failed",
  "in_progress",
  "timed_out",
  "rate_limited",
] as const;
export const FILE_TYPES = ["xer", "xml", "ppx", "mpp"] as const;

export const TOKEN_LIFETIME_SECONDS = 3600;
export const MAX_PAGE = 10_000;
export const MAX_PER_PAGE = 100;
export const DEFAULT_PER_PAGE = 50;
export const MAX_PARTNER_LENGTH = 100;

/**
 * Limits for upstream responses, well beyond anything readable; docs/v3-api.md gives the reasons. Lengths are UTF-16
 * units.
 */
export const READ_LIMITS = {
  /** A row or a file as JSON without blanks, including unknown members. */
  rowLength: 16_384,
  /** Longer ids don't fit into our database indexes. */
  idLength: 512,
  nameLength: 1_000,
  /** An enum value, known or not. */
  wordLength: 200,
  instantLength: 64,
  /** Minutes, seconds and counts, positive or negative: arithmetic with them stays within the range of dates. */
  quantity: 1_000_000_000,
} as const;

/** The codes of `error`, each with its only HTTP status. */
export const V3_ERROR_STATUS = {
  invalid_request: 400,
  invalid_client: 400,
  unsupported_grant_type: 400,
  unauthorized_client: 400,
  invalid_scope: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_too_large: 413,
  rate_limit_exceeded: 429,
  server_error: 500,
} as const;
export type V3ErrorCode = keyof typeof V3_ERROR_STATUS;
const ERROR_CODES = Object.keys(V3_ERROR_STATUS) as [V3ErrorCode, ...V3ErrorCode[]];

const instant = z.iso.datetime({ offset: true });
/** Any timestamp text: upstreams may use fractions and offsets freely. */
const anyInstant = z
  .string()
  .refine((text) => text.length <= READ_LIMITS.instantLength && !Number.isNaN(Date.parse(text)), {
    error: "not an instant",
  });
/** Absent and null both mean unknown on the wire. */
const orNull = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => value ?? null, schema.nullable());

const PaginationMeta = z.strictObject({
  page: z.int().min(1),
  per_page: z.int().min(1).max(MAX_PER_PAGE),
  total_count: z.int().min(0),
  total_pages: z.int().min(0),
});

const ServedSyncStatus = z.strictObject({
  id: z.string(),
  type: z.literal("sync_status"),
  attributes: z.strictObject({
    endpoint_key: z.string(),
    partner_name: z.string(),
    status: z.enum(SYNC_STATUSES),
    last_updated_at: instant.nullable(),
    next_sync_at: instant.nullable(),
    last_sync_status: z.enum(LAST_SYNC_STATUSES).nullable(),
    last_sync_started_at: instant.nullable(),
    last_sync_finished_at: instant.nullable(),
    last_sync_duration_seconds: z.int().nullable(),
    frequency_minutes: z.int().nullable(),
    api_calls_last_24h: z.int().min(0),
  }),
});

const ServedScheduleFile = z.strictObject({
  id: z.int(),
  name: z.string(),
  is_baseline: z.boolean(),
  company_id: z.int(),
  customer_project: z
    .strictObject({
      id: z.int(),
      name: z.string(),
      source: z.string(),
      customer_project_id: z.string(),
    })
    .nullable(),
  created_at: instant,
  file_type: z.enum(FILE_TYPES),
  partner_token_id: z.int().nullable(),
});

/** Responses of the embedded service. */
export const served = {
  PaginationMeta,
  SyncStatus: ServedSyncStatus,
  SyncStatusList: z.strictObject({ data: z.array(ServedSyncStatus), meta: PaginationMeta }),
  ScheduleFile: ServedScheduleFile,
  ScheduleFileList: z.strictObject({ data: z.array(ServedScheduleFile), meta: PaginationMeta }),
  DeleteResult: z.strictObject({ deleted: z.literal(true), id: z.int() }),
  TokenResponse: z.strictObject({
    access_token: z.string(),
    token_type: z.literal("Bearer"),
    expires_in: z.literal(TOKEN_LIFETIME_SECONDS),
    scope: z.string(),
  }),
  Error: z.strictObject({ error: z.enum(ERROR_CODES), error_description: z.string() }),
  /** On every response, whatever its status. */
  RateLimitHeaders: z.object({
    "X-RateLimit-Limit": z.int().min(1),
    "X-RateLimit-Remaining": z.int().min(0),
    "X-RateLimit-Reset": z.int().min(0),
  }),
};

const page = z.int().min(1).max(MAX_PAGE).default(1);
const perPage = z.int().min(1).max(MAX_PER_PAGE).default(DEFAULT_PER_PAGE);

/**
 * Request parameters as documented for callers. `page` and `per_page` are clamped, not rejected, so the service reads
 * them with `clampedInteger` instead of these bounds.
 */
export const requests = {
  SyncStatusQuery: z.object({
    partner: z.string().max(MAX_PARTNER_LENGTH).optional(),
    page,
    per_page: perPage,
  }),
  ScheduleFilesQuery: z.object({ page, per_page: perPage }),
  ScheduleFilePath: z.object({ id: z.int().min(0) }),
  TokenForm: z.object({
    grant_type: z.literal("client_credentials"),
    client_id: z.string(),
    client_secret: z.string(),
    scope: z.string().optional(),
  }),
};

/** A decimal number in common notation; `Number` alone would also accept "0x10", "" and " ". */
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Reads an integer that is clamped rather than rejected.
 * @param text raw value; null if the parameter is absent
 * @returns the nearest integer within the bounds, truncated; `absent` for anything that isn't a decimal number
 */
export function clampedInteger(
  text: string | null,
  bounds: { min: number; max: number; absent: number },
): number {
  if (text === null || !DECIMAL.test(text)) return bounds.absent;
  return Math.min(Math.max(Math.trunc(Number(text)), bounds.min), bounds.max);
}

const aName = z.string().max(READ_LIMITS.nameLength);
const aWord = z.string().max(READ_LIMITS.wordLength);
const aQuantity = z.number().min(-READ_LIMITS.quantity).max(READ_LIMITS.quantity);
/** Checked before its members, because unknown members are preserved without validation. */
const ofBoundedLength = <T extends z.ZodType>(row: T) =>
  z
    .unknown()
    .refine((given) => JSON.stringify(given ?? null).length <= READ_LIMITS.rowLength, {
      error: `Too big: expected at most ${READ_LIMITS.rowLength} characters`,
    })
    .pipe(row);

const ReadMeta = z.object({
  page: z.int().min(1),
  per_page: z.int().min(1),
  total_count: z.int().min(0),
  total_pages: z.int().min(0),
});

const ReadSyncStatus = ofBoundedLength(
  z.looseObject({
    id: z.string().min(1).max(READ_LIMITS.idLength),
    attributes: z.looseObject({
      endpoint_key: aName,
      partner_name: aName,
      status: aWord,
      last_updated_at: orNull(anyInstant),
      next_sync_at: orNull(anyInstant),
      last_sync_status: orNull(aWord),
      last_sync_started_at: orNull(anyInstant),
      last_sync_finished_at: orNull(anyInstant),
      last_sync_duration_seconds: orNull(aQuantity),
      frequency_minutes: orNull(aQuantity),
      api_calls_last_24h: aQuantity.min(0),
    }),
  }),
);

const ReadScheduleFile = ofBoundedLength(
  z.looseObject({
    id: z.int(),
    name: aName,
    is_baseline: z.boolean(),
    company_id: z.int(),
    customer_project: orNull(
      z.looseObject({
        id: z.int(),
        name: aName,
        source: orNull(aName),
        customer_project_id: orNull(aName),
      }),
    ),
    created_at: anyInstant,
    file_type: aWord,
    partner_token_id: orNull(z.int()),
  }),
);

/** Members other than `data` and `meta` are dropped. */
const readPage = <T extends z.ZodType>(row: T) =>
  z.object({ data: checkedList(row, { max: MAX_PER_PAGE }), meta: ReadMeta });

/** Upstream responses that we accept. */
export const read = {
  SyncStatusList: readPage(ReadSyncStatus),
  ScheduleFile: ReadScheduleFile,
  ScheduleFileList: readPage(ReadScheduleFile),
  DeleteResult: z.looseObject({ deleted: z.boolean(), id: z.int() }),
  TokenResponse: z.looseObject({
    access_token: z.string().min(1),
    token_type: z.string(),
    expires_in: z.number().positive().optional(),
    scope: z.string().optional(),
  }),
  Error: z.looseObject({ error: z.string(), error_description: z.string().optional() }),
};

export type ServedSyncStatus = z.infer<typeof ServedSyncStatus>;
export type ServedScheduleFile = z.infer<typeof ServedScheduleFile>;
export type ReadSyncStatus = z.infer<typeof ReadSyncStatus>;
export type ReadSyncStatusList = z.infer<typeof read.SyncStatusList>;
export type ReadScheduleFileList = z.infer<typeof read.ScheduleFileList>;
export type ReadScheduleFile = z.infer<typeof ReadScheduleFile>;
