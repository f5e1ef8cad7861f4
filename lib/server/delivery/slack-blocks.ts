import {
  sentence,
  type MessageContent,
  type MessageState,
} from "@/lib/domain/delivery/message-content";
import { isEnding, type Message } from "@/lib/domain/delivery/message";
import { contentOf } from "@/lib/domain/words/messages/company-content";
import { TELL_THE_CUSTOMER } from "./words";

/**
 * A message as Slack's blocks. They are made of `rich_text` and `plain_text` elements only: text in them is shown as it
 * is, so that a name can't mention people, link or format, and copying it gives what the API said.
 */
export function slackMessage(message: Message) {
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
          richText(lines([[link(message.url, open)], ...foot.map(footLine)])),
        ],
      },
    ],
  };
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
