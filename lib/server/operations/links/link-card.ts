import type { SharedThen } from "@/lib/contracts/links";
import { instantMs, iso } from "@/lib/domain/time/instant";
import { pictureMoment, previewStatement } from "@/lib/domain/words/shared-words";
import type { SharedLink } from "@/lib/server/auth/share-links";
import type { Card } from "@/lib/server/http/preview-card";
import { thenEndpoints } from "./shared-page";

/** The card of a link whose maker chose to show details: of one moment, which it names. */
export function linkCard(link: SharedLink, origin: string): Card {
  const { stored, partnerName, previewId } = link;
  const atMs = seenMs(stored);
  const statement = previewStatement(thenEndpoints(stored));
  return {
    title: `${partnerName} · ${stored.company_name}`,
    description: `As of ${pictureMoment(atMs)}: ${statement}`,
    image: `${origin}/api/previews/${previewId}/${pictureName(link)}`,
    imageAlt: `As of ${pictureMoment(atMs)}: ${statement}`,
  };
}

/** Of when it tells: what was seen is older than the sharing where nobody could check. Epoch milliseconds. */
export function seenMs({ at, as_of: asOf, confidence }: SharedThen): number {
  return instantMs(confidence === "blind" ? asOf : at) ?? 0;
}

/** "as-of-2026-11-21T14-02Z.png": another moment has another address, whatever a chat keeps. */
export function pictureName({ stored }: Pick<SharedLink, "stored">): string {
  return `as-of-${iso(seenMs(stored)).slice(0, 16).replace(":", "-")}Z.png`;
}
