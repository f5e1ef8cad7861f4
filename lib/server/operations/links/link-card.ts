import type { SharedThen } from "@/lib/contracts/links";
import { iso } from "@/lib/domain/time/instant";
import { checksNote, pictureMoment, previewStatement } from "@/lib/domain/words/shared-words";
import { endedSentence } from "@/lib/domain/words/copied-incident";
import type { SharedLink } from "@/lib/server/auth/share-links";
import type { Card } from "@/lib/server/http/preview/preview-card";
import { sharedPast } from "./shared-past";

/** The preview card of a link with details: of one moment, which it names. */
export function linkCard(link: SharedLink, origin: string): Card {
  const { stored, partnerName, previewId } = link;
  const { atMs, asOfMs, confidence, endpoints, incident } = sharedPast(stored);
  const ended = endedSentence(partnerName, incident, { nowMs: atMs, timeZone: "UTC" });
  const statement =
    ended === null
      ? previewStatement(endpoints, checksNote(confidence, asOfMs), totalOf(stored))
      : `${ended}.`;
  const description = `As of ${pictureMoment(atMs)}: ${statement}`;
  return {
    title: `${partnerName} · ${stored.company_name}`,
    description,
    image: `${origin}/api/previews/${previewId}/${pictureName(link)}`,
    imageAlt: description,
  };
}

/** Number of endpoints in the card: the incident's members, or all endpoints of the partner. */
export function totalOf({ endpoints, incident }: SharedThen): number {
  return Math.max(endpoints.length, incident?.endpoint_count ?? 0);
}

/**
 * "as-of-2026-11-21T14-02Z.png": each moment has its own address, so that chats can't show a cached
 * other one.
 */
export function pictureName({ stored }: Pick<SharedLink, "stored">): string {
  return `as-of-${iso(sharedPast(stored).atMs).slice(0, 16).replace(":", "-")}Z.png`;
}
