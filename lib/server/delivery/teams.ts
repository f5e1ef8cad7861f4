import type { Message } from "@/lib/domain/delivery/message";
import type { Http } from "@/lib/server/upstream/http";
import { OPEN_IN_PLUMBLINE } from "./words";
import { postJson, sentBy, type Sent } from "./sent";

/** Sends to a Teams workflow: an Adaptive Card with plain text, without formatting. */
export async function sendToTeams(
  send: Http["send"],
  { url }: { url: string },
  message: Message,
): Promise<Sent> {
  const [head = "", ...rest] = message.text.split("\n");
  const paragraph = (text: string, more = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, ...more }],
  });
  const card = {
    type: "AdaptiveCard",
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    version: "1.4",
    body: [paragraph(head, { weight: "Bolder" }), ...rest.map((line) => paragraph(line))],
    actions: [{ type: "Action.OpenUrl", title: OPEN_IN_PLUMBLINE, url: message.url }],
  };
  const attachment = { contentType: "application/vnd.microsoft.card.adaptive", content: card };
  const body = JSON.stringify({ type: "message", attachments: [attachment] });
  return sentBy(await postJson(send, url, body));
}
