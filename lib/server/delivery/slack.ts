import { z } from "zod";
import { isEdited, type Message } from "@/lib/domain/delivery/message";
import type { Http, HttpAnswer, HttpFailure } from "@/lib/server/upstream/http";
import { slackMessage, slackReply } from "./slack-blocks";
import { accepted, failed, postJson, sentBy, type Sent, type ThreadHead } from "./sent";

const SLACK_API = "https://slack.com/api";

/** Slack's response; its error codes are documented. */
const Answer = z.object({
  ok: z.boolean(),
  error: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .optional(),
  ts: z
    .string()
    .regex(/^\d{1,20}\.\d{1,20}$/)
    .optional(),
  channel: z
    .string()
    .regex(/^[A-Z0-9]{1,30}$/)
    .optional(),
});
/** Errors for which a retry may help. */
const PASSING: ReadonlySet<string> = new Set([
  "fatal_error",
  "internal_error",
  "ratelimited",
  "rate_limited",
  "request_timeout",
  "service_unavailable",
]);

/** Sends to a Slack-compatible incoming webhook, one post per message. */
export async function sendToSlackWebhook(
  send: Http["send"],
  { url }: { url: string },
  message: Message,
): Promise<Sent> {
  const { text, ...content } = slackMessage(message);
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
 * what got worse is posted in its thread as well.
 * @param api replaces Slack's URL in tests
 */
export async function sendAsSlackApp(
  send: Http["send"],
  { token, channel }: { token: string; channel: string },
  message: Message,
  { reference }: ThreadHead,
  api = SLACK_API,
): Promise<Sent> {
  const call = async (method: string, body: object) =>
    postJson(send, `${api}/${method}`, JSON.stringify(body), { authorization: `Bearer ${token}` });
  const content = slackMessage(message);
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
  const parsed = "failed" in answer ? null : Answer.safeParse(json(answer.body));
  return parsed?.data?.ok === false ? (parsed.data.error ?? null) : null;
}

function slackSent(answer: HttpAnswer | HttpFailure): Sent {
  return sentBy(answer, ({ body }) => {
    const parsed = Answer.safeParse(json(body));
    if (!parsed.success) return failed("The answer didn’t come from Slack.", true);
    const { ok, error = "an unknown error", ts, channel } = parsed.data;
    if (!ok) return failed(`Slack answered: ${error}.`, !PASSING.has(error));
    const reference = ts !== undefined && channel !== undefined ? `${channel} ${ts}` : null;
    return accepted("Slack accepted it.", reference);
  });
}

function json(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
