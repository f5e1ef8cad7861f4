import { z } from "zod";
import { isEdited, type Message } from "@/lib/domain/delivery/message";
import {
  accepted,
  failed,
  postJson,
  sentBy,
  sentByHook,
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
  return sentByHook(await postJson(send, url, JSON.stringify(body)));
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
  const post = async (body: object) => slackSent(await call("chat.postMessage", body), isRejection);
  const content = slackMessage(message, { isInteractive: appToken !== undefined });
  const [channelId, ts] = reference?.split(" ") ?? [];
  if (channelId === undefined || ts === undefined) return post({ channel, ...content });
  if (!isEdited(message.type)) return post({ channel: channelId, thread_ts: ts, ...content });
  const update = await call("chat.update", { channel: channelId, ts, ...content });
  // Follow-ups are posted nevertheless.
  if (NOT_EDITABLE.has(errorCodeOf(update))) return post({ channel, ...content });
  const edited = slackSent(update, isRejection);
  const reply = slackReply(message);
  if (edited.outcome !== "accepted" || reply === null) return edited;
  return post({ channel: channelId, thread_ts: ts, ...reply });
}

/** The message was deleted, is another's, or the workspace no longer lets it be edited. */
const NOT_EDITABLE: ReadonlySet<string | null> = new Set([
  "message_not_found",
  "cant_update_message",
  "edit_window_closed",
]);

/**
 * Errors that reject the message itself, or for ever. Others pass, or are mended by people: an app is invited again, a
 * token replaced.
 */
const REJECTIONS: ReadonlySet<string | null> = new Set([
  "as_user_not_supported",
  "invalid_arg_name",
  "invalid_arguments",
  "invalid_array_arg",
  "invalid_attachments",
  "invalid_blocks",
  "invalid_blocks_format",
  "invalid_charset",
  "invalid_json",
  "invalid_post_type",
  "is_archived",
  "json_not_object",
  "msg_blocks_too_long",
  "msg_too_long",
  "no_text",
  "too_many_attachments",
]);

const isRejection = (error: string | null) => REJECTIONS.has(error);

/** Slack's code for why it refused a call; null: it accepted the call, or the answer isn't Slack's. */
function errorCodeOf(answer: HttpAnswer | HttpFailure): string | null {
  const parsed = "failed" in answer ? null : slackAnswer(answer);
  return parsed?.ok === false ? (parsed.error ?? null) : null;
}

/**
 * Result of a call, with Slack's place of the message.
 * @param isFinal whether a retry is pointless after an error code; null: the answer isn't Slack's, or has none
 */
export function slackSent(
  answer: HttpAnswer | HttpFailure,
  isFinal = (error: string | null) => error === null || !isPassing(error),
): Sent {
  return sentBy(answer, (given) => {
    const parsed = slackAnswer(given);
    if (parsed === null) return failed("The answer didn’t come from Slack.", isFinal(null));
    const { ok, error = null } = parsed;
    if (!ok) return failed(`Slack answered: ${error ?? "an unknown error"}.`, isFinal(error));
    const posted = Posted.safeParse(parsed).data;
    const reference = posted === undefined ? null : `${posted.channel} ${posted.ts}`;
    return accepted("Slack accepted it.", reference);
  });
}
