import {
  sentence,
  type MessageContent,
  type MessageState,
} from "@/lib/domain/delivery/message-content";
import { isEnding, type Message } from "@/lib/domain/delivery/message";
import { contentOf } from "@/lib/domain/words/messages/company-content";
import { TELL_THE_CUSTOMER } from "@/lib/server/delivery/words";
import { IM_ON_IT } from "./words";

/**
 * A message as Slack's blocks. They are made of `rich_text` and `plain_text` elements only: text in them is shown as it
 * is, so that a name can't mention people, link or format, and copying it gives what the API said.
 * @param given.isInteractive whether people can acknowledge what is open by a button, see `ON_IT`
 */
export function slackMessage(message: Message, { isInteractive }: { isInteractive: boolean }) {
  const content = contentOf(message);
  const { title, state, lead, items, more, fields, paragraph, open, foot } = content;
  const body = [
    ...[lead.join(" ")].filter(Boolean).map((text) => [run(text)]),
    ...items.map(({ name, how, facts }) =>
      how === ""
        ? [run(name)]
        : [code(name), run(" "), bold(sentence(how)), run(facts === "" ? "" : ` ${facts}`)],
    ),
    ...(more === null ? [] : [[run(more)]]),
  ];
  return {
    ...asText(message.text),
    blocks: [richText(lines([[bold(title)]]))],
    attachments: [
      {
        color: COLOUR[state],
        fallback: cut(message.text),
        blocks: [
          ...(body.length === 0 ? [] : [richText(lines(body))]),
          ...(fields.length === 0 ? [] : [{ type: "section", fields: fields.map(fieldText) }]),
          ...(paragraph === null
            ? []
            : [richText(lines([[bold(TELL_THE_CUSTOMER)]]), quote(paragraph))]),
          ...(isInteractive && isUnacknowledged(message) ? [onIt(message.id)] : []),
          richText(lines([[link(message.url, open)], ...foot.map(footLine)])),
        ],
      },
    ],
  };
}

/** A message as the preview of a link to what it is about. */
export function slackUnfurl(message: Message) {
  const { blocks, attachments } = slackMessage(message, { isInteractive: false });
  const [body] = attachments;
  return { color: body?.color, blocks: [...blocks, ...(body?.blocks ?? [])] };
}

/** The card of every page that needs a session, as `genericCard` has it. */
export function slackCard({ title, description }: { title: string; description: string }) {
  return { blocks: [richText(lines([[bold(title)], [run(description)]]))] };
}

/** A sentence for one person in a channel. @param to null: no link */
export function slackAnswerTo(text: string, to: { url: string; label: string } | null) {
  const all = to === null ? [[run(text)]] : [[run(text)], [link(to.url, to.label)]];
  return { ...asText(text), blocks: [richText(lines(all))] };
}

/** The action of the button by which people acknowledge; its value is the message's id. */
export const ON_IT = "on_it";

/** Whether it is about incidents that are open, and not all acknowledged. */
function isUnacknowledged({ incident, several, type }: Message): boolean {
  if (incident !== null) return incident.state === "open" && incident.acknowledged === null;
  if (several === undefined || several.about.kind === "host" || type.endsWith("ended"))
    return false;
  return several.all.some(
    ({ endedMs, acknowledgedBy }) => endedMs === null && acknowledgedBy === null,
  );
}

function onIt(messageId: string) {
  const text = { type: "plain_text", text: IM_ON_IT, emoji: false };
  const button = { type: "button", action_id: ON_IT, value: messageId, text };
  return { type: "actions", elements: [button] };
}

/** What goes to the thread of an edited message; null: nothing. */
export function slackReply(message: Message) {
  const content = contentOf(message);
  const news = content.news.flatMap(({ text, isMinor }) => (isMinor ? [] : [sentence(text)]));
  const said = isEnding(message.type)
    ? [...news, [sentence(content.title), ...content.lead].join(" ")]
    : news;
  return said.length === 0
    ? null
    : { ...asText(said.join("\n")), blocks: [richText(lines(said.map((text) => [run(text)])))] };
}

/** Slack shows the text where it can't show blocks, such as in notifications. */
function asText(text: string) {
  return {
    text: cut(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    mrkdwn: false,
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
  };
}

type Element =
  | { type: "text"; text: string; style?: object }
  | { type: "link"; url: string; text: string };

/** Slack refuses longer text. */
const LONGEST = 3_000;

function cut(text: string, most = LONGEST): string {
  return text.slice(0, most).replace(/\p{Surrogate}$/u, "");
}

const run = (text: string) => ({ type: "text" as const, text: cut(text) });
const bold = (text: string): Element => ({ ...run(text), style: { bold: true } });
const code = (text: string): Element => ({ ...run(text), style: { code: true } });
const link = (url: string, text: string): Element => ({ type: "link", url, text });

const lines = (all: readonly (readonly Element[])[]) => ({
  type: "rich_text_section",
  elements: all
    .flatMap((line, index) => [...(index === 0 ? [] : [run("\n")]), ...line])
    .filter(({ text }) => text !== ""),
});
const quote = (text: string) => ({ type: "rich_text_quote", elements: [run(text)] });
const richText = (...elements: (ReturnType<typeof lines> | ReturnType<typeof quote>)[]) => ({
  type: "rich_text",
  elements,
});

/** Slack's limit for a field. */
const LONGEST_FIELD = 2_000;

function fieldText({ label, value }: MessageContent["fields"][number]) {
  return { type: "plain_text", text: cut(`${label}\n${value}`, LONGEST_FIELD), emoji: false };
}

function footLine({ text, link: to }: MessageContent["foot"][number]) {
  return [run(text), ...(to === null ? [] : [run(" "), link(to.url, to.label)])];
}

/** The bar beside the message; its words say the same. */
const COLOUR: Readonly<Record<MessageState, string>> = {
  failing: "#b3093c",
  stale: "#d9480f",
  late: "#c47200",
  cannot_tell: "#756d8c",
  recovered: "#12849a",
  ended: "#868a90",
  blind: "#16181b",
  seen_again: "#868a90",
  neutral: "#868a90",
};
