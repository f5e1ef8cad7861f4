import type { ChannelSettings } from "@/lib/domain/delivery/channel";
import type { Message } from "@/lib/domain/delivery/message";
import type { Clock } from "@/lib/server/clock";
import type { Http } from "@/lib/server/upstream/http";
import type { Mailer } from "./mail";
import { sendMail } from "./send-mail";
import type { Sent, ThreadHead } from "./sent";
import { sendAsSlackApp, sendToSlackWebhook } from "./slack/send-to-slack";
import { createCallSlack } from "./slack/slack-call";
import { sendToTeams } from "./teams";
import { sendToWebhook } from "./webhook";

/** Sends a message to a channel once; never rejects. */
export type SendToChannel = (
  channel: ChannelSettings,
  message: Message,
  thread: ThreadHead,
) => Promise<Sent>;

/**
 * @param options.send for user-supplied addresses: see `createTargetSend`
 * @param options.mailer null: no mail is sent
 * @param options.slackApi replaces Slack's URL in tests
 */
export function createSendToChannel({
  send,
  mailer,
  clock,
  appUrl,
  slackApi,
}: {
  send: Http["send"];
  mailer: Mailer | null;
  clock: Pick<Clock, "nowMs">;
  appUrl: string;
  slackApi?: string;
}): SendToChannel {
  const { hostname } = new URL(appUrl);
  const callSlack = createCallSlack(send, slackApi);
  return (channel, message, thread) => {
    switch (channel.kind) {
      case "slack_app":
        return sendAsSlackApp(callSlack, channel.settings, message, thread);
      case "slack_webhook":
        return sendToSlackWebhook(send, channel.settings, message);
      case "teams":
        return sendToTeams(send, channel.settings, message);
      case "email":
        return sendMail(mailer, channel.settings, message, thread, hostname);
      case "webhook":
        return sendToWebhook(send, channel.settings, message, clock.nowMs());
    }
  };
}
