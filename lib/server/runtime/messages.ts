import type { ChannelSeal } from "@/lib/server/delivery/channel-settings";
import { createMailer, type Mailer } from "@/lib/server/delivery/mail";
import { createSendToChannel, type SendToChannel } from "@/lib/server/delivery/send-to-channel";
import { createTargetSend } from "@/lib/server/delivery/targets";
import { createSeal, OURS } from "@/lib/server/upstream/seal";
import type { Process } from "./process";

/** Delivery of messages outside this Plumbline. */
export type Messages = {
  /** Null: no mail is sent. */
  mailer: Mailer | null;
  channelSeal: ChannelSeal;
  sendToChannel: SendToChannel;
};

/** @param appUrl start of links in messages */
export function openMessages(
  { config, authSecrets, clock, log, stopping }: Process,
  appUrl: string,
): Messages {
  const mailer = config.mail === null ? null : createMailer({ clock, log, ...config.mail });
  return {
    mailer,
    channelSeal: createSeal(authSecrets, OURS, "channel settings"),
    sendToChannel: createSendToChannel({
      send: createTargetSend({
        allowed: config.allowedTargets,
        clock,
        proxies: config.targetProxies,
        signal: stopping.signal,
      }),
      mailer,
      clock,
      appUrl,
    }),
  };
}
