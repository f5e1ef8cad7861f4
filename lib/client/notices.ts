import type { InboxItem } from "@/lib/contracts/delivery";

/** Browser notifications of new inbox items: enabled by a click, stored in this browser. */

const KEY = "inbox-notices";

/** `blocked`: refused by the person or the browser; `missing`: not supported by this browser. */
export type NoticeState = "on" | "off" | "blocked" | "missing";

const listeners = new Set<() => void>();

/** @returns unsubscribes */
export function onNotices(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** The state in this browser. */
export function noticeState(): NoticeState {
  if (!("Notification" in window)) return "missing";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && isTurnedOn() ? "on" : "off";
}

/** Requests permission from the browser, which asks the person if necessary. Only call it in a click handler. */
export async function turnOnNotices(): Promise<void> {
  if (!("Notification" in window)) return;
  if ((await Notification.requestPermission()) === "granted") store("on");
  for (const listener of listeners) listener();
}

export function turnOffNotices(): void {
  store(null);
  for (const listener of listeners) listener();
}

/**
 * Items of a response to notify about: unread and not in earlier responses.
 * @param known ids of all earlier items; null: this is the first response, and nothing in it is new
 */
export function newsIn(
  items: readonly InboxItem[],
  known: ReadonlySet<string> | null,
): readonly InboxItem[] {
  if (known === null) return [];
  return items.filter(({ id, read_at: readAt }) => readAt === null && !known.has(id));
}

/** Shows one. It is tagged with its id, so that several tabs show it once. */
export function showNotice({ id, text, href }: InboxItem): void {
  const [title = "", ...rest] = text.split("\n");
  try {
    const notice = new Notification(title, { body: rest.join("\n"), tag: id, icon: "/icon.svg" });
    notice.addEventListener("click", () => {
      window.focus();
      window.location.assign(href);
    });
  } catch {
    // Some browsers only allow notifications for installed apps. The inbox has all items.
  }
}

function isTurnedOn(): boolean {
  try {
    return window.localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

function store(value: "on" | null): void {
  try {
    if (value === null) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, value);
  } catch {
    // Without storage it stays off.
  }
}
