import { genericCard, type Card } from "@/lib/server/http/preview/preview-card";
import { shownOrigin } from "./shown-origin";

/** What a link preview shows of a page that takes a session: the same of every one. */
export async function pageCard(): Promise<Card> {
  return genericCard(await shownOrigin());
}
