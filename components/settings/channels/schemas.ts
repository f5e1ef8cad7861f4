import type { z } from "zod";
import { ChannelChange, ChannelRequest, channelSettings } from "@/lib/contracts/delivery";
import type { ChannelKind } from "@/lib/domain/delivery/channel";

// Separate from draft.ts, which the page loads first, because this imports zod.

/** Schema of a request for a new channel of a kind. */
export const newSchema = (kind: ChannelKind) =>
  ChannelRequest.extend({ settings: channelSettings[kind] });

/** Schema of a change of a channel of a kind; omitted members remain unchanged. */
export function changeSchema(kind: ChannelKind) {
  const settings: z.ZodObject = channelSettings[kind];
  return ChannelChange.extend({ settings: settings.partial().optional() });
}
