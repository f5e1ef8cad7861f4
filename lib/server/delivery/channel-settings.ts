import type { ChannelSettings } from "@/lib/domain/delivery/channel";
import type { ChannelRow } from "@/lib/server/store/delivery/channels";
import type { Seal } from "@/lib/server/upstream/seal";

export type ChannelSeal = Seal;

/** Decrypts a channel's settings, including secrets; null: encrypted under another `AUTH_SECRET`. */
export function openSettings(
  seal: ChannelSeal,
  { sealed }: Pick<ChannelRow, "sealed">,
): ChannelSettings | null {
  const opened = seal.open(sealed);
  // Only this installation can have encrypted it, so it isn't validated.
  return opened === null ? null : (JSON.parse(opened) as ChannelSettings);
}

/** The settings that may be shown: a URL can be as secret as a password, its host isn't. */
export function shownOf(channel: ChannelSettings): Record<string, string> {
  switch (channel.kind) {
    case "slack_app":
      return { channel: channel.settings.channel };
    case "email":
      return { to: channel.settings.to.join(", ") };
    case "slack_webhook":
    case "teams":
    case "webhook":
      return { host: new URL(channel.settings.url).host };
  }
}
