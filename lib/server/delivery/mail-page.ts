import {
  sentence,
  type MessageContent,
  type MessageState,
} from "@/lib/domain/delivery/message-content";
import { escapeHtml } from "@/lib/server/http/html";
import { TELL_THE_CUSTOMER } from "./words";

const FONTS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** In a dark mail only the colours change; a client that drops this shows a readable light one. */
const DARK =
  ".pg{background:#0c0d0f!important}.tx{color:#eeeff0!important}.t2{color:#b6bac0!important}.t3,.t3 a{color:#8d929a!important}.ln{border-color:#363a41!important}.bt{background:#eeeff0!important;color:#0c0d0f!important}.fa{color:#ff8094!important}.st{color:#ff8a52!important}.la{color:#f5b04a!important}.ok{color:#55bfd0!important}.un{color:#b3abcd!important}.bf{background:#3d0f1a!important}.bs{background:#3a1c0d!important}.bl{background:#2b200c!important}.bn{background:#22252a!important}";

/** The HTML of a mail to a person about their account. */
export function mailPage(words: {
  subject: string;
  greeting: string;
  lead: string;
  button: { act: string; url: string } | null;
  foot: readonly string[];
}): string {
  const { subject, greeting, lead, button, foot } = words;
  return page(subject, "", [
    text(greeting, "tx", "0 0 12px"),
    text(lead, "tx", "0 0 20px"),
    ...(button === null ? [] : [buttonOf(button, "0 0 20px")]),
    `<p class="t2" style="margin:0;color:#45494f;font-size:13px;line-height:19px;">${foot.map(escapeHtml).join("<br>")}</p>`,
  ]);
}

/**
 * The HTML of a mail about incidents.
 * @param head who it is from and about, and when: small, above the title
 * @param url of the page with the details
 */
export function messagePage(
  content: MessageContent,
  { subject, head, url }: { subject: string; head: string; url: string },
): string {
  const { title, state, badge, news, lead, items, more, fields, paragraph, open, foot } = content;
  return page(subject, lead.join(" "), [
    `<p class="t3" style="margin:0 0 14px;font-size:13px;line-height:18px;color:#64686f;">${escapeHtml(head)}</p>`,
    `<h1 class="tx" style="margin:0 0 10px;font-size:22px;line-height:28px;font-weight:600;letter-spacing:-.01em;color:#16181b;">${escapeHtml(title)}</h1>`,
    `<p class="t2" style="margin:0 0 20px;color:#45494f;">${badgeOf(state, badge)}${escapeHtml(lead.join(" "))}</p>`,
    ...news.map(({ text: said }, index) =>
      text(sentence(said), "tx", index === news.length - 1 ? "0 0 20px" : "0 0 4px"),
    ),
    ...(items.length === 0 ? [] : [listOf(items, more)]),
    ...(fields.length === 0
      ? []
      : [
          `<p class="t2" style="margin:20px 0 0;color:#45494f;">${fields.map(({ label, value }) => `${escapeHtml(label)}: <span class="tx" style="color:#16181b;">${escapeHtml(value)}</span>`).join("<br>")}</p>`,
        ]),
    buttonOf({ act: open, url }, "20px 0 0"),
    ...(paragraph === null
      ? []
      : [
          text(TELL_THE_CUSTOMER, "tx", "26px 0 4px", "font-weight:600;"),
          text(paragraph, "t2", "0"),
        ]),
    ...(foot.length === 0
      ? []
      : [
          `<p class="t3" style="margin:26px 0 0;padding-top:12px;font-size:13px;line-height:19px;color:#64686f;">${foot.map(footLine).join("<br>")}</p>`,
        ]),
  ]);
}

/** @param preview what mail clients show beside the subject; empty: the beginning of the mail */
function page(subject: string, preview: string, parts: readonly string[]): string {
  const hidden =
    preview === ""
      ? ""
      : `<div style="display:none;max-height:0;overflow:hidden;">${escapeHtml(preview)}</div>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title>
<style>@media (prefers-color-scheme: dark) {${DARK}}</style></head>
<body class="pg" style="margin:0;padding:0;background:#fbfbf9;">${hidden}<div class="pg" style="background:#fbfbf9;padding:28px 20px;">
<div style="max-width:560px;margin:0 auto;font-family:${FONTS};font-size:15px;line-height:22px;overflow-wrap:anywhere;">
${parts.join("\n")}
</div></div></body></html>
`;
}

const COLOUR = { tx: "#16181b", t2: "#45494f" } as const;

/** @param more further styles */
function text(said: string, tone: keyof typeof COLOUR, margin: string, more = ""): string {
  return `<p class="${tone}" style="margin:${margin};color:${COLOUR[tone]};${more}">${escapeHtml(said)}</p>`;
}

function buttonOf({ act, url }: { act: string; url: string }, margin: string): string {
  return `<p style="margin:${margin};"><a class="bt" href="${escapeHtml(url)}" style="display:inline-block;padding:9px 16px;background:#16181b;color:#ffffff;text-decoration:none;font-weight:600;font-size:14px;border-radius:3px;">${escapeHtml(act)}</a></p>`;
}

/** Classes for dark mails, and colours of text and ground. */
const STATE: Readonly<
  Record<MessageState, { words: string; ground: string; colour: string; wash: string }>
> = {
  failing: { words: "fa", ground: "bf", colour: "#b3093c", wash: "#fbdde4" },
  stale: { words: "st", ground: "bs", colour: "#a83205", wash: "#fde0d0" },
  late: { words: "la", ground: "bl", colour: "#8f4a00", wash: "#fbf0dc" },
  cannot_tell: { words: "un", ground: "bn", colour: "#5b5470", wash: "#eceae6" },
  recovered: { words: "ok", ground: "bn", colour: "#0a6e80", wash: "#eceae6" },
  ended: { words: "t2", ground: "bn", colour: "#45494f", wash: "#eceae6" },
  blind: { words: "tx", ground: "bn", colour: "#16181b", wash: "#eceae6" },
  seen_again: { words: "t2", ground: "bn", colour: "#45494f", wash: "#eceae6" },
  neutral: { words: "t2", ground: "bn", colour: "#45494f", wash: "#eceae6" },
};

function badgeOf(state: MessageState, badge: string): string {
  if (badge === "") return "";
  const { words, ground, colour, wash } = STATE[state];
  return `<span class="${words} ${ground}" style="display:inline-block;padding:0 8px;background:${wash};color:${colour};font-weight:600;font-size:13px;">${escapeHtml(badge)}</span> &nbsp;`;
}

function listOf(items: MessageContent["items"], more: string | null): string {
  const rows = items.map(({ name, state, how, facts }) => {
    const { words, colour } = STATE[state ?? "neutral"];
    if (how === "") return text(name, "t2", "0");
    return `${text(name, "tx", "0", "font-weight:600;")}<p class="t2" style="margin:0;color:#45494f;"><b class="${words}" style="color:${colour};">${escapeHtml(sentence(how))}</b> ${escapeHtml(facts)}</p>`;
  });
  const all = more === null ? rows : [...rows, text(more, "t2", "0")];
  return all
    .map((row, index) => {
      const top = index === 0 ? "#cdcdc7" : "#e6e6e1";
      const bottom = index === all.length - 1 ? "border-bottom:1px solid #cdcdc7;" : "";
      return `<div class="ln" style="border-top:1px solid ${top};${bottom}padding:12px 0;">${row}</div>`;
    })
    .join("\n");
}

function footLine({ text: said, link }: MessageContent["foot"][number]): string {
  const end =
    link === null
      ? ""
      : ` <a href="${escapeHtml(link.url)}" style="color:#64686f;">${escapeHtml(link.label)}</a>.`;
  return escapeHtml(said) + end;
}
