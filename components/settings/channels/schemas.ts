import type { z } from "zod";
import { ChannelChange, ChannelRequest, channelSettings } from "@/lib/contracts/delivery";
import type { ChannelKind } from "@/lib/domain/delivery/channel";

// Apart from the draft, which the page loads first: this brings zod.

/** A request for a new channel of a kind. */
export const newSchema = (kind: ChannelKind) =>
  ChannelRequest.extend({ settings: channelSettings[kind] });

/** A change of a channel of a kind; what isn't in it stays. */
export function changeSchema(kind: ChannelKind) {
  const settings: z.ZodObject = channelSettings[kind];
  return ChannelChange.extend({ settings: settings.partial().optional() });
}
