import type { EndedLinkPage, SharedPage } from "@/lib/contracts/shared-page";
import { zoneNamed } from "@/lib/domain/time/present-zone";
import type { EndedLink, ShareIdentity, SharedLink } from "@/lib/server/auth/share-links";
import type { HandlerResponse, PlainResponse } from "@/lib/server/http/handler-response";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { reachedOrigin } from "@/lib/server/http/front-headers";
import { NOT_FOUND_PAGE, UNREACHABLE_PAGE, wordsPage } from "@/lib/server/http/pages.mjs";
import { cardPage, cardTags, genericCard, type Card } from "@/lib/server/http/preview/preview-card";
import { isBotName, isPreviewBot } from "@/lib/server/http/preview/preview-bots.mjs";
import { originToShow } from "@/lib/server/http/preview/shown-origin";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { countOpened } from "@/lib/server/store/links/share-links";
import type { MaybePromise } from "@/lib/server/maybe-promise";
import type { LinksRuntime } from "./link-view";
import { linkCard } from "./link-card";
import { sharedIncident } from "./shared-incident";
import { sharedIncidentPage, sharedPartnerPage } from "./shared-page";
import { limited } from "./words";
import { sharedState } from "@/lib/server/shared-state";

export type SharedRuntime = LinksRuntime &
  Parameters<typeof syncStatusView>[0] & { appUrl: string };

/** The reader's time zone, sent by our script; UTC without it. */
export const ZONE_HEADER = "x-time-zone";
/** The ETag with which an open page polls, every other second, whether its link is still open. */
const STILL_OPEN_TAG = '"open"';
const STILL_OPEN: PlainResponse = { status: 304, headers: { etag: STILL_OPEN_TAG }, body: null };

/**
 * Answers `GET /s/[token]`: the page of a link; for an ended link whose it was; for link previews
 * its card; otherwise the same response as any missing address. Changes and counts nothing. Only a
 * link to an incident queries the database.
 * @param identity the link of the token
 * @returns the data of a page, or another response
 */
export function getSharedPage(
  runtime: SharedRuntime,
  identity: ShareIdentity,
  request: Pick<HttpRequest, "method" | "headers">,
): MaybePromise<HandlerResponse | SharedPage> {
  const { headers, method } = request;
  const origin = originToShow(runtime.appUrl, reachedOrigin(headers));
  const isBot = isPreviewBot(method, headers.get("user-agent"));
  if (identity.state === "unknown") return NOT_FOUND_PAGE;
  if (identity.state === "limited") {
    return withRetry(wordsPage(429, limited.title, limited.sentence), identity.retryAfterSeconds);
  }
  if (identity.state === "unavailable") return UNREACHABLE_PAGE;
  const timeZone = zoneOf(headers.get(ZONE_HEADER));
  if (identity.state === "ended") {
    const card = genericCard(origin);
    return isBot ? cardPage(card) : endedLinkPage(identity.ended, { timeZone, card });
  }
  const { link } = identity;
  const companyName = connectedName(runtime.connections, link.company);
  // The state of a company that is no longer polled is unknown.
  if (companyName === null) return NOT_FOUND_PAGE;
  if (headers.get("if-none-match") === STILL_OPEN_TAG) return STILL_OPEN;
  if (link.incidentId !== null) {
    return getSharedIncident(runtime, link, { companyName, timeZone, origin, isBot });
  }
  const card = link.hasDetailsInPreview ? linkCard(link, origin) : genericCard(origin);
  if (isBot) return cardPage(card);
  const view = syncStatusView(runtime, link.company);
  const nowMs = runtime.clock.nowMs();
  return sharedPartnerPage(link, view, { companyName, nowMs, timeZone, card: cardTags(card) });
}

/**
 * The page of a link to an incident; not found once its record is gone, even if another incident
 * has its number.
 */
async function getSharedIncident(
  runtime: SharedRuntime,
  link: SharedLink,
  {
    companyName,
    timeZone,
    origin,
    isBot,
  }: { companyName: string; timeZone: string; origin: string; isBot: boolean },
): Promise<HandlerResponse | SharedPage> {
  const row = await sharedIncident(runtime, link);
  if (row === null) return NOT_FOUND_PAGE;
  const card = link.hasDetailsInPreview ? linkCard(link, origin) : genericCard(origin);
  if (isBot) return cardPage(card);
  const view = syncStatusView(runtime, link.company);
  const nowMs = runtime.clock.nowMs();
  const given = { companyName, nowMs, timeZone, card: cardTags(card) };
  return sharedIncidentPage(link, { row, view }, given);
}

function endedLinkPage(
  { why, at, sharedByName, sharedAt }: EndedLink,
  { timeZone, card }: { timeZone: string; card: Card },
): EndedLinkPage {
  return {
    kind: "ended",
    card: cardTags(card),
    why,
    endedMs: at?.getTime() ?? null,
    sharedByName,
    sharedMs: sharedAt.getTime(),
    timeZone,
  };
}

/** Page views of one link by one client within a minute that are counted. */
const COUNTED_A_MINUTE = 10;

/**
 * Counts a view of a link's page: `POST /s/[token]`, sent by the page once it has rendered.
 * @param given.address the client's true address
 */
export async function countSharedPage(
  runtime: SharedRuntime,
  link: SharedLink,
  { address, request }: { address: string; request: Pick<HttpRequest, "headers"> },
): Promise<Response> {
  const done = new Response(null, { status: 204 });
  if (isBotName(request.headers.get("user-agent"))) return done;
  const opens = sharedState(runtime, "opened links", createCounter);
  if (!opens.take(`${link.id} ${address}`, runtime.clock.monotonicMs())) return done;
  await countOpened(runtime.database, link.id);
  return done;
}

/** Counts events per key within the last minute, for the last few thousand keys. */
function createCounter() {
  const most = 5_000;
  let windowMs = Number.NEGATIVE_INFINITY;
  let counts = new Map<string, number>();
  return {
    /** @returns false when over the limit */
    take(key: string, nowMs: number): boolean {
      if (nowMs - windowMs >= 60_000 || nowMs < windowMs) {
        windowMs = nowMs;
        counts = new Map();
      }
      const count = (counts.get(key) ?? 0) + 1;
      if (count > COUNTED_A_MINUTE || (count === 1 && counts.size >= most)) return false;
      counts.set(key, count);
      return true;
    },
  };
}

/** The canonical zone name, so that caches don't grow with spellings. */
function zoneOf(given: string | null): string {
  if (given === null || !/^[A-Za-z][\w+/-]{0,63}$/.test(given)) return "UTC";
  return zoneNamed(given) ?? "UTC";
}

function withRetry(answer: PlainResponse, seconds: number): PlainResponse {
  return { ...answer, headers: { ...answer.headers, "retry-after": String(seconds) } };
}
