import type { ChannelSettings } from "@/lib/domain/delivery/channel";
import type { ChannelRow } from "@/lib/server/store/delivery/channels";
import type { Seal } from "@/lib/server/upstream/seal";

export type ChannelSeal = Seal;

/** A channel's settings, its secrets included; null: they were sealed under another `AUTH_SECRET`. */
export function openSettings(
  seal: ChannelSeal,
  { sealed }: Pick<ChannelRow, "sealed">,
): ChannelSettings | null {
  const opened = seal.open(sealed);
  // Nobody else can have sealed it.
  return opened === null ? null : (JSON.parse(opened) as ChannelSettings);
}

/** What may be shown of them: an address may be as good as a password, its host isn't. */
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
