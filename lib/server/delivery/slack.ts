import { z } from "zod";
import type { Message } from "@/lib/domain/delivery/message";
import type { Http, HttpAnswer, HttpFailure } from "@/lib/server/upstream/http";
import { OPEN_IN_PLUMBLINE } from "./words";
import { accepted, failed, postJson, sentBy, type Sent, type ThreadHead } from "./sent";

const SLACK_API = "https://slack.com/api";

/** What Slack answers; its error codes are documented words. */
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
/** Trying again may help. */
const PASSING: ReadonlySet<string> = new Set([
  "fatal_error",
  "internal_error",
  "ratelimited",
  "rate_limited",
  "request_timeout",
  "service_unavailable",
]);

/** Sends to a Slack or compatible incoming webhook: a post for each message. */
export async function sendToSlackWebhook(
  send: Http["send"],
  { url }: { url: string },
  message: Message,
): Promise<Sent> {
  return sentBy(await postJson(send, url, JSON.stringify({ text: withLink(message) })));
}

/**
 * Sends as a Slack app. Of an incident there is one message in the channel, which is kept up to date; what follows is
 * in its thread as well.
 * @param api another address than Slack's; tests have one
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
    const edited = slackSent(await call("chat.update", { channel: channelId, ts, ...content }));
    // One that somebody deleted can't be edited; what follows is told all the same.
    const isGone = edited.said.includes("message_not_found");
    if (edited.outcome !== "accepted" && !isGone) return edited;
    if (isGone) return slackSent(await call("chat.postMessage", { channel, ...content }));
  }
  return slackSent(
    await call("chat.postMessage", { channel: channelId, thread_ts: ts, ...content }),
  );
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

/** Names are the customer's: they mention nobody, link nowhere and begin no formatting. */
function escaped(text: string): string {
  // A joiner that nobody sees keeps marks from being marks, and what looks like an address from being a link.
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
