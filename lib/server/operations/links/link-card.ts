import type { SharedThen } from "@/lib/contracts/links";
import { iso } from "@/lib/domain/time/instant";
import { pictureMoment, previewStatement } from "@/lib/domain/words/shared-words";
import { incidentHeadline } from "@/lib/domain/words/incident-headline";
import type { SharedLink } from "@/lib/server/auth/share-links";
import type { Card } from "@/lib/server/http/preview/preview-card";
import { headlineIncident, copiedIncident } from "./shared-incident";
import { isFrozenThen, thenEndpoints } from "./shared-page";
import { seenMs } from "./shared-rows";

/** The preview card of a link with details: of one moment, which it names. */
export function linkCard(link: SharedLink, origin: string): Card {
  const { stored, partnerName, previewId } = link;
  const atMs = seenMs(stored);
  const ended = endedSentence(partnerName, stored);
  const statement =
    ended === null
      ? previewStatement(thenEndpoints(stored), {
          total: totalOf(stored),
          wasBlind: isFrozenThen(stored),
        })
      : `${ended}.`;
  return {
    title: `${partnerName} · ${stored.company_name}`,
    description: `As of ${pictureMoment(atMs)}: ${statement}`,
    image: `${origin}/api/previews/${previewId}/${pictureName(link)}`,
    imageAlt: `As of ${pictureMoment(atMs)}: ${statement}`,
  };
}

/** Number of endpoints in the card: the incident's members, or all endpoints of the partner. */
export function totalOf({ endpoints, incident }: SharedThen): number {
  return Math.max(endpoints.length, incident?.endpoint_count ?? 0);
}

/** How an incident that had ended before it was shared ended; null for others. */
export function endedSentence(partnerName: string, stored: SharedThen): string | null {
  const then = copiedIncident(stored);
  if (then === null || then.endedMs === null) return null;
  const when = { nowMs: seenMs(stored), timeZone: "UTC" };
  return incidentHeadline(
    headlineIncident(partnerName, then, () => undefined),
    when,
  );
}

/**
 * "as-of-2026-11-21T14-02Z.png": each moment has its own address, so that chats can't show a cached
 * other one.
 */
export function pictureName({ stored }: Pick<SharedLink, "stored">): string {
  return `as-of-${iso(seenMs(stored)).slice(0, 16).replace(":", "-")}Z.png`;
}
