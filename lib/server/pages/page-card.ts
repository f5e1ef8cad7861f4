import { genericCard, type Card } from "@/lib/server/http/preview/preview-card";
import { shownOrigin } from "./shown-origin";

/** The link preview of a page that needs a session: equal for all. */
export async function pageCard(): Promise<Card> {
  return genericCard(await shownOrigin());
}
