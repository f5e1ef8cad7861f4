import { LRUCache } from "lru-cache";
import type { ConnectionCheck } from "@/lib/contracts/connections";
import { Failure } from "@/lib/contracts/failure";
import { MAX_PER_PAGE } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import { isUpstreamFailure, restsBecause, type Upstream } from "@/lib/server/upstream/upstream";
import { within } from "@/lib/server/waiting";
import { takeTurn } from "./probe";
import { NO_CONNECTION, CHECKED_LATELY } from "./words";
import { sharedState } from "@/lib/server/shared-state";
import { clampedIso } from "@/lib/domain/time/instant";

/** Minimum interval between manual checks of one connection. */
const CHECK_AGAIN_MS = 5_000;
/** Longer than a token and a page may take together; the caller waits at most this long. */
const PATIENCE_MS = 22_000;
const MAX_REMEMBERED = 10_000;

/** When each connection was last checked, on the monotonic clock, per upstream object. */
const lastChecksOf = (upstreams: object) =>
  sharedState(
    upstreams,
    "last checks",
    () => new LRUCache<string, number>({ max: MAX_REMEMBERED }),
  );

type CheckRuntime = Parameters<typeof takeTurn>[0] & {
  clock: Clock;
  upstreams: ReadonlyMap<string, Upstream>;
};

/**
 * Requests one page of sync status from a company's API, and first a token if there is no valid
 * one: `POST /api/connections/[slug]/check`. It is charged to the budget's `people` lane and
 * changes nothing that pages show. Error bodies of the API are never passed on.
 * @throws Failure `not_found`; `too_many_requests` shortly after another check, and after six checks by the person
 *   within a minute
 */
export async function checkConnection(
  runtime: CheckRuntime,
  { person, slug }: { person: { id: string }; slug: string },
): Promise<ConnectionCheck> {
  const { clock, upstreams } = runtime;
  const upstream = upstreams.get(slug);
  if (upstream === undefined) throw new Failure("not_found", NO_CONNECTION);
  refuseTooSoon(clock, upstreams, slug);
  await takeTurn(runtime, person.id);
  const startMs = clock.monotonicMs();
  const checkedAtMs = clock.nowMs();
  const outcome = await within(clock, PATIENCE_MS, ask(upstream), (): Outcome => ({
    ...NOTHING,
    reason: "unreachable",
    reached: "sign_in",
  }));
  return {
    checked_at: new Date(checkedAtMs).toISOString(),
    took_ms: Math.max(0, Math.round(clock.monotonicMs() - startMs)),
    ...outcome,
  };
}

type Outcome = Omit<ConnectionCheck, "checked_at" | "took_ms">;
const NOTHING = { rows: null, scopes: null, retry_at: null } as const;

async function ask(upstream: Upstream): Promise<Outcome> {
  let reached: Outcome["reached"] = "sign_in";
  try {
    await upstream.prepare("people");
    reached = "rows";
    const { value } = await upstream.getSyncStatus({ page: 1, perPage: MAX_PER_PAGE }, "people");
    return {
      ...NOTHING,
      reason: null,
      reached: "all",
      rows: value.meta.total_count,
      scopes: scopesOf(upstream),
    };
  } catch (error) {
    if (!isUpstreamFailure(error)) throw error;
    const { reason, httpStatus, retryAtMs, isOurs } = error;
    // Without a response, a wait is only known when our own budget delayed the request.
    const isHeldBack =
      isOurs ||
      restsBecause(upstream.connection) !== null ||
      (httpStatus === null && (reason === "rate_limited" || retryAtMs !== null));
    return {
      ...NOTHING,
      reason,
      reached: isHeldBack ? "not_sent" : reached,
      scopes: scopesOf(upstream),
      retry_at: retryAtMs === null ? null : clampedIso(retryAtMs),
    };
  }
}

function scopesOf(upstream: Upstream): Outcome["scopes"] {
  const granted = upstream.grantedScopes();
  return granted === null ? null : [...granted];
}

function refuseTooSoon(clock: Clock, upstreams: object, slug: string): void {
  const known = lastChecksOf(upstreams);
  const nowMs = clock.monotonicMs();
  const againMs = (known.get(slug) ?? Number.NEGATIVE_INFINITY) + CHECK_AGAIN_MS;
  if (nowMs < againMs) {
    const retryAfterSeconds = Math.ceil((againMs - nowMs) / 1000);
    throw new Failure("too_many_requests", CHECKED_LATELY, { retryAfterSeconds });
  }
  known.set(slug, nowMs);
}
