import { createHash } from "node:crypto";
import { and, asc, count, eq, sql } from "drizzle-orm";
import { MAX_PARTNER_LENGTH, type ServedSyncStatus } from "@/lib/contracts/v3";
import type { Database } from "@/lib/server/store/database";
import { Refusal, type Answer, type HttpRequest } from "./answers";
import { paginationMeta, readPaging, type Paging } from "./paging";
import { createResponseCache, type CachedBody } from "./response-cache";
import { syncConfigs } from "./store/schema";
import type { Grant } from "./tokens";

/** How long a listing is served from the cache. */
const CACHE_LIFETIME_MS = 60_000;
const CACHE_BYTES = 32 * 1024 * 1024;
const DAY_MS = 86_400_000;

type Query = Paging & { partner: string | null };

/** `GET /sync_status` with its response cache. The handler throws Refusal. */
export function createSyncStatus(database: Database, nowMs: () => number) {
  const cache = createResponseCache({
    lifetimeMs: CACHE_LIFETIME_MS,
    maxBytes: CACHE_BYTES,
    nowMs,
  });

  return async function getSyncStatus(
    request: HttpRequest,
    url: URL,
    grant: Grant,
  ): Promise<Answer> {
    const query = readQuery(url.searchParams);
    const { companyId, scopes } = grant;
    const key = JSON.stringify([companyId, scopes, query.partner, query.page, query.perPage]);
    const { body, etag } = await cache.get(key, () =>
      serialise(listSyncStatus(database, companyId, query, nowMs())),
    );
    const headers = { "cache-control": "private, no-cache", etag };
    if (matches(request.headers.get("if-none-match"), etag)) {
      return { status: 304, body: null, headers };
    }
    return { status: 200, body, headers: { "content-type": "application/json", ...headers } };
  };
}

/**
 * One page of a company's sync status, ordered by the bytes of (partner name, endpoint key), then id.
 * `api_calls_last_24h` counts the 24 hours up to `nowMs` (epoch milliseconds).
 */
async function listSyncStatus(
  database: Database,
  companyId: number,
  query: Query,
  nowMs: number,
): Promise<{ data: ServedSyncStatus[]; meta: ReturnType<typeof paginationMeta> }> {
  const { orm } = database;
  const wanted = and(
    eq(syncConfigs.companyId, companyId),
    query.partner === null ? undefined : eq(syncConfigs.partnerName, query.partner),
  );
  const order = [
    asc(syncConfigs.partnerName),
    asc(syncConfigs.endpointKey),
    asc(syncConfigs.id),
  ] as const;
  // Sums the calls of this page's rows only: a flat query would also sum them for every row skipped by OFFSET.
  const page = orm
    .select()
    .from(syncConfigs)
    .where(wanted)
    .orderBy(...order)
    .limit(query.perPage)
    .offset((query.page - 1) * query.perPage)
    .as("page");
  const since = new Date(nowMs - DAY_MS).toISOString();
  const until = new Date(nowMs).toISOString();
  const [rows, [total]] = await Promise.all([
    orm
      .select({
        config: {
          id: page.id,
          partnerName: page.partnerName,
          endpointKey: page.endpointKey,
          status: page.status,
          frequencyMinutes: page.frequencyMinutes,
          nextSyncAt: page.nextSyncAt,
          recordedSyncAt: page.recordedSyncAt,
          lastLandedAt: page.lastLandedAt,
          lastRunStartedAt: page.lastRunStartedAt,
          lastRunFinishedAt: page.lastRunFinishedAt,
          lastRunStatus: page.lastRunStatus,
        },
        apiCalls: sql`(
          select coalesce(sum(a.count), 0) from v3.api_calls a
          where a.company_id = ${companyId} and a.sync_config_id = ${page.id}
            and a.at > ${since} and a.at <= ${until})`.mapWith(Number),
      })
      .from(page)
      .orderBy(asc(page.partnerName), asc(page.endpointKey), asc(page.id)),
    orm.select({ count: count() }).from(syncConfigs).where(wanted),
  ]);
  return {
    data: rows.map(({ config, apiCalls }) => syncStatusOf(config, apiCalls)),
    meta: paginationMeta(query, total?.count ?? 0),
  };
}

type ConfigRow = Omit<typeof syncConfigs.$inferSelect, "companyId">;

function syncStatusOf(config: ConfigRow, apiCallsLast24h: number): ServedSyncStatus {
  const { lastLandedAt, recordedSyncAt, lastRunStartedAt, lastRunFinishedAt } = config;
  // If any landing counts, the latest one does, so the others don't matter.
  const counts =
    lastLandedAt !== null && (recordedSyncAt === null || lastLandedAt >= recordedSyncAt);
  return {
    id: config.id,
    type: "sync_status",
    attributes: {
      endpoint_key: config.endpointKey,
      partner_name: config.partnerName,
      status: config.status,
      last_updated_at: counts ? lastLandedAt.toISOString() : null,
      next_sync_at: config.nextSyncAt?.toISOString() ?? null,
      last_sync_status: config.lastRunStatus,
      last_sync_started_at: lastRunStartedAt?.toISOString() ?? null,
      last_sync_finished_at: lastRunFinishedAt?.toISOString() ?? null,
      last_sync_duration_seconds:
        lastRunStartedAt && lastRunFinishedAt
          ? Math.max(
              0,
              Math.floor((lastRunFinishedAt.getTime() - lastRunStartedAt.getTime()) / 1000),
            )
          : null,
      frequency_minutes: config.frequencyMinutes,
      api_calls_last_24h: apiCallsLast24h,
    },
  };
}

function readQuery(parameters: URLSearchParams): Query {
  const partners = parameters.getAll("partner");
  if (partners.length > 1) throw new Refusal("invalid_request", "partner can be given only once.");
  // An empty filter is ignored. Characters are counted as in JSON Schema, by code points.
  const partner = partners[0] || null;
  if (partner !== null && Array.from(partner).length > MAX_PARTNER_LENGTH) {
    throw new Refusal(
      "invalid_request",
      `partner can have at most ${MAX_PARTNER_LENGTH} characters.`,
    );
  }
  if (partner?.includes("\0")) {
    throw new Refusal("invalid_request", "partner contains a character that names can't have.");
  }
  return { ...readPaging(parameters), partner };
}

async function serialise(listing: Promise<object>): Promise<CachedBody> {
  const body = new TextEncoder().encode(JSON.stringify(await listing));
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
}

/** Whether the client already has these bytes. A weak tag (after compression by a proxy) also matches. */
function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch
    .split(",")
    .map((tag) => tag.trim())
    .some((tag) => tag === "*" || tag === etag || tag === `W/${etag}`);
}
