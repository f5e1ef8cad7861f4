import type { Trouble } from "@/lib/domain/incidents/incident";

/**
 * How the subject of a message stands; chooses colours, and the words say the same. `recovered`: data was received or a
 * run completed; `ended`: any other ending; `neutral`: a summary.
 */
export type MessageState =
  | Trouble
  | "cannot_tell"
  | "recovered"
  | "ended"
  | "blind"
  | "seen_again"
  | "neutral";

/** A feed of an incident, or a customer of a message about several. */
export type MessageItem = {
  name: string;
  /** Null: it has none of its own. */
  state: MessageState | null;
  /** The state in words, with the most important figure: "Stale, 2 h overdue"; empty for none. */
  how: string;
  /** Sentences about it, with full stops; may be empty. */
  facts: string;
};

/** @property isMinor it changes the message itself, and doesn't go to its thread */
export type MessageNews = { text: string; isMinor: boolean };

/**
 * What people read in a message, in parts: composed once, and drawn by each kind of channel in its own way. Everything
 * is plain text in the destination's time zone; names have passed `plainName`.
 */
export type MessageContent = {
  /** What it is about and how that stands, without a full stop: "Procore at Northgate Builders is stale". */
  title: string;
  state: MessageState;
  /** The state as a word: "Stale", "Recovered". */
  badge: string;
  /**
   * What happened since the last message about the same subject, a sentence each, without full stops. In a channel whose
   * messages are edited these go to the thread; with none, only the message is edited.
   */
  news: readonly MessageNews[];
  /** Sentences that follow the title. */
  lead: readonly string[];
  /** Worst first; those beyond `MAX_ITEMS` are in `more`. */
  items: readonly MessageItem[];
  /** "and 3 more: 2 failing, 1 late"; null: all are named. */
  more: string | null;
  /** Short facts: "Acknowledged", "No one yet". */
  fields: readonly { label: string; value: string }[];
  /** What to tell the customer, ready to copy; null: nothing. */
  paragraph: string | null;
  /** When it was written: "Mon 23 Nov 2026, 07:22 CET". */
  written: string;
  /** The label of the link to `Message.url`. */
  open: string;
  /** Small print, a sentence each. */
  foot: readonly { text: string; link: { label: string; url: string } | null }[];
};

/** Items named in a message; further ones are counted. Messages about a fleet name 12. */
export const MAX_ITEMS = 6;

/** The whole content as text, without the paragraph for the customer and the small print. */
export function contentText(content: MessageContent): string {
  const { title, news, lead, items, more, fields } = content;
  return [
    title,
    ...news.map(({ text }) => sentence(text)),
    lead.join(" "),
    ...items.map(itemText),
    more ?? "",
    fields.map(({ label, value }) => sentence(`${label}: ${value}`)).join(" "),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** "daily_logs: stale, 2 h overdue. Data is from 04:22, expected every 1 h." */
function itemText({ name, how, facts }: MessageItem): string {
  if (how === "" && facts === "") return name;
  const lower = how.charAt(0).toLowerCase() + how.slice(1);
  const head = how === "" ? name : `${name}: ${lower}`;
  return facts === "" ? sentence(head) : `${sentence(head)} ${facts}`;
}

/** Adds a full stop where none ends it. */
export function sentence(text: string): string {
  return /[.!?…][”"’)]*$/u.test(text) ? text : `${text}.`;
}
