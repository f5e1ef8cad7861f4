import { z } from "zod";
import type { Message } from "@/lib/domain/delivery/message";
import type { Http, HttpAnswer, HttpFailure } from "@/lib/server/upstream/http";
import { OPEN_IN_PLUMBLINE } from "./words";
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
  return sentBy(await postJson(send, url, JSON.stringify({ text: withLink(message) })));
}

/**
 * Sends as a Slack app. An incident has one message in the channel, which is kept up to date; follow-ups are
 * posted in its thread as well.
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
  const content = contentOf(message);
  const [channelId, ts] = reference?.split(" ") ?? [];
  if (channelId === undefined || ts === undefined)
    return slackSent(await call("chat.postMessage", { channel, ...content }));
  if (message.incident !== null) {
    const update = await call("chat.update", { channel: channelId, ts, ...content });
    // A deleted message can't be edited; follow-ups are posted nevertheless.
    if (errorCodeOf(update) === "message_not_found")
      return slackSent(await call("chat.postMessage", { channel, ...content }));
    const edited = slackSent(update);
    if (edited.outcome !== "accepted") return edited;
  }
  return slackSent(
    await call("chat.postMessage", { channel: channelId, thread_ts: ts, ...content }),
  );
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

function contentOf(message: Message) {
  return {
    text: escaped(message.text),
    blocks: [
      {
        type: "section",
        text: {
          type: "mrkdwn",
          text: escaped(message.text)
            .slice(0, 2_900)
            .replace(/&[a-z]{0,3}$|\p{Surrogate}$/u, ""),
          verbatim: true,
        },
      },
      { type: "context", elements: [{ type: "mrkdwn", text: link(message.url) }] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

const withLink = ({ text, url }: Message) => `${escaped(text)}\n${link(url)}`;
const link = (url: string) => `<${withoutMarkup(url)}|${OPEN_IN_PLUMBLINE}>`;

/** Names come from the customer: they must not mention users, create links or start formatting. */
function escaped(text: string): string {
  // An invisible word joiner disables formatting characters and automatic links.
  return withoutMarkup(text).replace(/[*_~`@]|(?<=\w)\.(?=\w)|:(?=\/\/)/gu, "$&\u2060");
}

function withoutMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function json(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}
