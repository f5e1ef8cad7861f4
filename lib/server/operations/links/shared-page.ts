import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type {
  CardTag,
  IncidentPresent,
  PresentEndpoint,
  SharedIncidentPage,
  SharedPartnerPage,
  SharedPresent,
} from "@/lib/contracts/shared-page";
import { delayedUntilMs, liveUntilMs } from "@/lib/domain/confidence";
import { nextSyncMs } from "@/lib/domain/incidents/next-sync";
import { freshnessLedger } from "@/lib/domain/ledger";
import { isResting } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import type { SharedLink } from "@/lib/server/auth/share-links";
import type { IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import { incidentNow, type IncidentNow } from "./shared-incident";
import { sharedNow, type SharedNow, type SharedRow } from "./shared-rows";
import { sharedPast } from "./shared-past";

/**
 * `nowMs`: our clock, epoch milliseconds; `timeZone`: the reader's, IANA; `companyName`: current.
 */
type SharedGiven = {
  companyName: string;
  nowMs: number;
  timeZone: string;
  card: readonly CardTag[];
};

/** What the page of a link to a partner shows. */
export function sharedPartnerPage(
  link: SharedLink,
  view: SyncStatusView,
  given: SharedGiven,
): SharedPartnerPage {
  const { partnerName, shows } = link;
  const now =
    shows === "then" ? null : presentOf(view, sharedNow(view, partnerName, given.nowMs), given);
  return { kind: "partner", ...openLink(link, given), now };
}

/** What the page of a link to an incident shows. `row`: its current record. */
export function sharedIncidentPage(
  link: SharedLink,
  { row, view }: { row: IncidentRow; view: SyncStatusView },
  given: SharedGiven,
): SharedIncidentPage {
  const now = link.shows === "then" ? null : incidentNow(row, view, given.nowMs);
  const incident = now === null ? null : presentIncident(view, now, given);
  return { kind: "incident", ...openLink(link, given), incident };
}

function openLink(
  { partnerName, shows, sharedByName, expiresAt, stored }: SharedLink,
  { companyName, nowMs, timeZone, card }: SharedGiven,
) {
  return {
    card,
    partnerName,
    companyName,
    shows,
    sharedByName,
    expiresMs: expiresAt.getTime(),
    nowMs,
    timeZone,
    past: sharedPast(stored),
  };
}

function presentOf(
  { source }: SyncStatusView,
  { rows, apiNowMs, asOfMs, confidence }: SharedNow,
  { nowMs }: SharedGiven,
): SharedPresent {
  const lastMs = instantMs(source.last_success_at);
  const leftMs = (untilMs: number | null) => Math.max(0, Math.round((untilMs ?? nowMs) - nowMs));
  // Same as in the bar of the partner's page.
  const { partnerData } = freshnessLedger(
    rows.map(({ row }) => row),
    { nowMs: apiNowMs, apiNowMs, lastSuccessMs: null, lastResponseMs: null },
    0,
  );
  return {
    confidence,
    isResting: isResting(source.reason),
    apiNowMs,
    asOfMs,
    delayedInMs: leftMs(liveUntilMs(lastMs, source.rhythm_seconds)),
    blindInMs: leftMs(delayedUntilMs(lastMs, source.rhythm_seconds)),
    partnerData,
    endpoints: rows.map(presentEndpoint),
  };
}

function presentIncident(
  view: SyncStatusView,
  incident: IncidentNow,
  given: SharedGiven,
): IncidentPresent {
  const { now, open, ...copied } = incident;
  return {
    ...copied,
    now: presentOf(view, now, given),
    open: new Map(
      [...open].map(([id, { verdict, shown }]) => [
        id,
        { verdict, shown: shown === null ? null : presentEndpoint(shown) },
      ]),
    ),
    nextSyncMs: nextSyncMs(
      now.rows.map(({ judgement }) => judgement),
      now.apiNowMs,
    ),
  };
}

function presentEndpoint({ row, judgement }: SharedRow): PresentEndpoint {
  const { id, endpoint_key: endpointKey, verdict, promise = null } = row;
  return { id, endpointKey, verdict, judgement, promise };
}
