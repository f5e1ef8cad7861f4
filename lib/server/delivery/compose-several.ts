import type { Message } from "@/lib/domain/delivery/message";
import { isAmong } from "@/lib/domain/delivery/rule";
import type { Several } from "@/lib/domain/delivery/several";
import { severalMessage } from "@/lib/domain/delivery/several-message";
import { encodeSegment } from "@/lib/domain/partner-address";
import { ruleFoot } from "@/lib/domain/words/messages/message-foot";
import { severalContent } from "@/lib/domain/words/messages/several-content";
import type { DeliveryRow } from "@/lib/server/store/delivery/outbox";
import type { Destination } from "./plan-messages";

/** Writes a message about several companies, or about several partners of one. */
export function composeSeveral(
  several: Several,
  { id, destination, appUrl }: { id: string; destination: Destination; appUrl: string },
): Message {
  const slugs = new Set(several.all.map(({ company }) => company));
  const covering = destination.rules.filter(({ companies }) =>
    [...slugs].some((slug) => isAmong(slug, companies)),
  );
  const to = { name: destination.toName, isOwn: destination.to !== "channel" };
  const content = severalContent(several, ruleFoot(covering, to, appUrl));
  return severalMessage(several, { id, url: `${appUrl}${pathOf(several)}`, content });
}

/**
 * A message for a person who may see only some of its companies by now: counts, names and times are of those.
 * @returns null: none of them is left, or it is about all of them together, as a brief is
 */
export function narrowed(
  { company, about, message }: Pick<DeliveryRow, "company" | "about" | "message">,
  mayRead: (company: string) => boolean,
): Message | null {
  const { several, content, id, url } = message;
  const isWhole = about === null ? company !== null && mayRead(company) : about.every(mayRead);
  if (isWhole) return message;
  const all = several?.all.filter((one) => mayRead(one.company)) ?? [];
  if (several === undefined || all.length === 0) return null;
  const fewer = { ...several, all };
  return severalMessage(fewer, { id, url, content: severalContent(fewer, content?.foot ?? []) });
}

function pathOf({ about }: Several): string {
  switch (about.kind) {
    case "partner":
      return `/partners/${encodeSegment(about.partner)}`;
    case "limited":
      return `/${encodeURIComponent(about.company.slug)}/incidents`;
    case "host":
      return "/companies";
  }
}
