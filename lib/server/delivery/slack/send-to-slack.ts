import { z } from "zod";
import { isEdited, type Message } from "@/lib/domain/delivery/message";
import {
  accepted,
  failed,
  postJson,
  sentBy,
  type Sent,
  type ThreadHead,
} from "@/lib/server/delivery/sent";
import type { Http, HttpAnswer, HttpFailure } from "@/lib/server/upstream/http";
import { slackMessage, slackReply } from "./slack-blocks";
import { isPassing, slackAnswer, type CallSlack } from "./slack-call";

/** Where Slack put a message. */
const Posted = z.object({
  ts: z.string().regex(/^\d{1,20}\.\d{1,20}$/),
  channel: z.string().regex(/^[A-Z0-9]{1,30}$/),
});

/** Sends to a Slack-compatible incoming webhook, one post per message. */
export async function sendToSlackWebhook(
  send: Http["send"],
  { url }: { url: string },
  message: Message,
): Promise<Sent> {
  const { text, ...content } = slackMessage(message, { isInteractive: false });
  const body = { ...content, text: `${withoutMarkup(text)}\n${message.url}` };
  return sentBy(await postJson(send, url, JSON.stringify(body)));
}

/**
 * Compatible services show the text instead of the blocks, as Markdown: names in it must not mention people, format, or
 * make links.
 */
function withoutMarkup(text: string): string {
  // After an invisible word joiner they are characters like any other.
  return text
    .replaceAll("@", "＠")
    .replace(/[*_~`#|\\[\]]|(?<=\S)\.(?=\S)|:(?=\/\/)/gu, "$&\u2060");
}

/**
 * Sends as a Slack app. What `isEdited` has one message in the channel, which is kept up to date; what people did and
 * what got worse is posted in its thread as well. With an app-level token, people can acknowledge it there.
 */
export async function sendAsSlackApp(
  callSlack: CallSlack,
  { token, channel, app_token: appToken }: { token: string; channel: string; app_token?: string },
  message: Message,
  { reference }: ThreadHead,
): Promise<Sent> {
  const call = (method: string, body: object) => callSlack(method, token, body);
  const content = slackMessage(message, { isInteractive: appToken !== undefined });
  const [channelId, ts] = reference?.split(" ") ?? [];
  if (channelId === undefined || ts === undefined)
    return slackSent(await call("chat.postMessage", { channel, ...content }));
  if (!isEdited(message.type))
    return slackSent(
      await call("chat.postMessage", { channel: channelId, thread_ts: ts, ...content }),
    );
  const update = await call("chat.update", { channel: channelId, ts, ...content });
  // A deleted message can't be edited; follow-ups are posted nevertheless.
  if (errorCodeOf(update) === "message_not_found")
    return slackSent(await call("chat.postMessage", { channel, ...content }));
  const edited = slackSent(update);
  const reply = slackReply(message);
  if (edited.outcome !== "accepted" || reply === null) return edited;
  return slackSent(await call("chat.postMessage", { channel: channelId, thread_ts: ts, ...reply }));
}

/** Slack's code for why it refused a call; null: it accepted the call, or the answer isn't Slack's. */
function errorCodeOf(answer: HttpAnswer | HttpFailure): string | null {
  const parsed = "failed" in answer ? null : slackAnswer(answer);
  return parsed?.ok === false ? (parsed.error ?? null) : null;
}

/** Result of a call, with Slack's place of the message. */
export function slackSent(answer: HttpAnswer | HttpFailure): Sent {
  return sentBy(answer, (given) => {
    const parsed = slackAnswer(given);
    if (parsed === null) return failed("The answer didn’t come from Slack.", true);
    const { ok, error = "an unknown error" } = parsed;
    if (!ok) return failed(`Slack answered: ${error}.`, !isPassing(error));
    const posted = Posted.safeParse(parsed).data;
    const reference = posted === undefined ? null : `${posted.channel} ${posted.ts}`;
    return accepted("Slack accepted it.", reference);
  });
}
