import { sentence, type MessageContent } from "@/lib/domain/delivery/message-content";
import type { Message } from "@/lib/domain/delivery/message";
import { contentOf } from "@/lib/domain/words/messages/company-content";
import type { Http } from "@/lib/server/upstream/http";
import { TELL_THE_CUSTOMER } from "./words";
import { postJson, sentByHook, type Sent } from "./sent";

/** Sends to a Teams workflow: an Adaptive Card. */
export async function sendToTeams(
  send: Http["send"],
  { url }: { url: string },
  message: Message,
): Promise<Sent> {
  const attachment = {
    contentType: "application/vnd.microsoft.card.adaptive",
    content: cardOf(message),
  };
  const body = JSON.stringify({ type: "message", attachments: [attachment] });
  return sentByHook(await postJson(send, url, body));
}

/** The card of a message. Only text runs: unlike text blocks and facts, they show text as it is, without Markdown. */
export function cardOf(message: Message) {
  const content = contentOf(message);
  const { title, state, badge, news, lead, items, more, fields, paragraph, open, foot } = content;
  return {
    type: "AdaptiveCard",
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    version: "1.4",
    fallbackText: message.text,
    body: [
      paragraphOf([run(title, { weight: "Bolder", size: "Medium" })]),
      ...news.map(({ text }) => paragraphOf([run(sentence(text))])),
      ...[lead.join(" ")]
        .filter(Boolean)
        .map((text) =>
          paragraphOf(
            badge === ""
              ? [run(text)]
              : [run(`${badge}. `, { ...COLOUR[state], weight: "Bolder" }), run(text)],
          ),
        ),
      ...items.map(({ name, state: own, how, facts }) =>
        paragraphOf(
          how === ""
            ? [run(name)]
            : [
                run(`${name}: `, { weight: "Bolder" }),
                run(sentence(how), own === null ? {} : COLOUR[own]),
                ...(facts === "" ? [] : [run(` ${facts}`)]),
              ],
        ),
      ),
      ...(more === null ? [] : [paragraphOf([run(more)])]),
      ...fields.map(({ label, value }) =>
        paragraphOf([run(`${label}: `, { isSubtle: true }), run(value)]),
      ),
      ...(paragraph === null
        ? []
        : [
            {
              type: "Container",
              style: "emphasis",
              items: [
                paragraphOf([run(TELL_THE_CUSTOMER, { weight: "Bolder" })]),
                paragraphOf([run(paragraph)]),
              ],
            },
          ]),
      ...foot.map(({ text }) => paragraphOf([run(text, { isSubtle: true, size: "Small" })])),
    ],
    actions: [
      { title: open, url: message.url },
      ...foot.flatMap(({ link }) => (link === null ? [] : [{ title: link.label, url: link.url }])),
    ].map((action) => ({ type: "Action.OpenUrl", ...action })),
  };
}

const run = (text: string, more: object = {}) => ({ type: "TextRun", text, ...more });
const paragraphOf = (inlines: ReturnType<typeof run>[]) => ({ type: "RichTextBlock", inlines });

const COLOUR: Readonly<Record<MessageContent["state"], { color?: string }>> = {
  failing: { color: "Attention" },
  stale: { color: "Attention" },
  late: { color: "Warning" },
  cannot_tell: {},
  recovered: { color: "Good" },
  ended: {},
  blind: {},
  seen_again: {},
  neutral: {},
};
