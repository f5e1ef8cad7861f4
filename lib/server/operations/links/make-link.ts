import { Failure } from "@/lib/contracts/failure";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { LinkRequest, type MadeLink, type SharedThen } from "@/lib/contracts/links";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import type { Person } from "@/lib/server/auth/person";
import { secretHash } from "@/lib/server/auth/secret";
import { newPreviewId, newShareToken } from "@/lib/server/auth/share-token";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { insertShareLink } from "@/lib/server/store/links/share-links";
import { readIncident } from "@/lib/server/store/incidents/read-incidents";
import { notValid } from "@/lib/server/http/query";
import { actionOf, type LinksRuntime } from "./link-view";
import { incidentNow, storedIncident } from "./shared-incident";
import { sharedNow, storedThen } from "./shared-rows";
import {
  NOTHING_YET,
  NO_INCIDENT,
  NOT_SHARED,
  NO_PARTNER,
  ONE_THING,
  TOO_MANY_LINKS,
} from "./words";
import { DAY_MS } from "@/lib/domain/time/units";

/** Open links of one person at one company; each stores a copy of what it shows. */
export const MAX_OPEN_LINKS = 200;

/**
 * Shares a partner or an incident with people without an account: `POST .../links`. Only this
 * response contains the address.
 * @param given.origin origin of the link
 * @param given.address the client's true address
 * @throws Failure `invalid_request`; `not_found` for an unknown partner or incident; `conflict`
 *   after too many; `unavailable` before the first snapshot
 */
export async function makeLink(
  runtime: LinksRuntime & Parameters<typeof syncStatusView>[0] & { authSecret: string },
  given: { company: string; person: Person; address: string; origin: string; body: unknown },
): Promise<MadeLink> {
  const { database, auth, authSecret, securityLog } = runtime;
  const { company, person, address, origin } = given;
  const parsed = LinkRequest.safeParse(given.body);
  if (!parsed.success) {
    // Every member is valid, but both are given, or neither.
    if (parsed.error.issues[0]?.code === "custom") throw new Failure("invalid_request", ONE_THING);
    throw notValid(parsed.error, NOT_SHARED);
  }
  const { shows, days, details_in_preview: hasDetails } = parsed.data;
  const forWhom = parsed.data.for === "" ? null : parsed.data.for;

  const view = syncStatusView(runtime, company);
  if (view.as_of === null) throw new Failure("unavailable", NOTHING_YET, { retryAfterSeconds: 60 });
  const name = connectedName(runtime.connections, company);
  if (name === null) throw new Failure("not_found", NO_PARTNER);
  const { partnerName, incidentId, stored } = await copyOf(runtime, view, {
    ...parsed.data,
    company,
    companyName: name,
  });

  const { ms, judgedMs } = await auth.time.now();
  const token = newShareToken(authSecret);
  const made = await insertShareLink(
    database,
    {
      company,
      tokenHash: secretHash(token),
      previewId: newPreviewId(),
      partnerName,
      incidentId,
      shows,
      stored,
      forWhom,
      hasDetailsInPreview: hasDetails,
      madeBy: person.id,
      createdAt: new Date(ms),
      expiresAt: new Date(ms + days * DAY_MS),
    },
    { action: actionOf(runtime, person), most: MAX_OPEN_LINKS, nowMs: judgedMs },
  );
  if (made === null) throw new Failure("conflict", TOO_MANY_LINKS);
  securityLog.record("share_link_made", { address, person }, { link: made.id });
  return {
    id: made.id,
    url: `${origin}/s/${token}`,
    expires_at: made.expiresAt.toISOString(),
  };
}

/** The current state of what is shared. @throws Failure `not_found` */
async function copyOf(
  { database, clock }: Pick<LinksRuntime, "database" | "clock">,
  view: SyncStatusView,
  request: {
    company: string;
    companyName: string;
    partner?: string | undefined;
    incident?: number | undefined;
  },
): Promise<{ partnerName: string; incidentId: number | null; stored: SharedThen }> {
  const { company, companyName, partner = "", incident } = request;
  if (incident === undefined) {
    const stored = storedThen(sharedNow(view, partner, clock.nowMs()), companyName);
    if (stored === null) throw new Failure("not_found", NO_PARTNER);
    return { partnerName: partner, incidentId: null, stored };
  }
  const row = await readIncident(database.orm, company, incident);
  const now = row === null ? null : incidentNow(row, view, clock.nowMs());
  if (row === null || now === null) throw new Failure("not_found", NO_INCIDENT);
  return {
    partnerName: row.partnerName,
    incidentId: row.id,
    stored: storedIncident(now, companyName),
  };
}
