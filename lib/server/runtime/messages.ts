import type { ChannelSeal } from "@/lib/server/delivery/channel-settings";
import { createMailer, type Mailer } from "@/lib/server/delivery/mail";
import { createSendToChannel, type SendToChannel } from "@/lib/server/delivery/send-to-channel";
import { createCallSlack, type CallSlack } from "@/lib/server/delivery/slack/slack-call";
import {
  createTargetSend,
  createTargetSocket,
  type OpenTargetSocket,
} from "@/lib/server/delivery/targets";
import { createSeal, OURS } from "@/lib/server/upstream/seal";
import type { Process } from "./process";

/** Delivery of messages outside this Plumbline. */
export type Messages = {
  /** Null: no mail is sent. */
  mailer: Mailer | null;
  channelSeal: ChannelSeal;
  sendToChannel: SendToChannel;
  /** Calls Slack's Web API. */
  callSlack: CallSlack;
  openSlackSocket: OpenTargetSocket;
};

/** Slack pings every few seconds, and its events are some kilobytes. */
const SLACK_SOCKET = { openMs: 5_000, silentMs: 60_000, messageBytes: 256 * 1024 };

/** @param appUrl start of links in messages */
export function openMessages(
  { config, authSecrets, clock, log, stopping }: Process,
  appUrl: string,
): Messages {
  const mailer = config.mail === null ? null : createMailer({ clock, log, ...config.mail });
  const targets = { allowed: config.allowedTargets, proxies: config.targetProxies };
  const send = createTargetSend({ ...targets, clock, signal: stopping.signal });
  return {
    mailer,
    channelSeal: createSeal(authSecrets, OURS, "channel settings"),
    sendToChannel: createSendToChannel({ send, mailer, clock, appUrl }),
    callSlack: createCallSlack(send),
    openSlackSocket: createTargetSocket({ ...targets, limits: SLACK_SOCKET }),
  };
}
