import { count } from "@/lib/domain/words/format";

/** What the bell and its panel say. */

export const INBOX = "Inbox";
export const UNACKNOWLEDGED = "Unacknowledged incidents";
export const UNREAD = "unread";
export const NONE_UNREAD = "none unread";

export const inboxWords = {
  title: INBOX,
  unread: (amount: number) => (amount === 0 ? "all read" : `${count(amount)} unread`),
  markRead: "Mark all as read",
  notMarked: "Couldn’t mark them as read. Try again.",
  earlier: "Earlier",
  unacknowledged: (amount: number) =>
    amount === 1 ? "1 unacknowledged incident" : `${count(amount)} unacknowledged incidents`,
  empty: "Nothing yet. Your alerts appear here.",
  choose: "Choose what you’re told about",
  notLoaded: "Couldn’t load the inbox. Retrying automatically.",
  settings: "Change my alerts",
  newer: "Newer",
  older: "Older",
  isUnread: "Unread:",
};

export const noticeWords = {
  turnOn: "Notify me in this browser",
  turnOff: "Stop browser notifications",
  blocked: "Your browser blocks notifications from Plumbline.",
};
