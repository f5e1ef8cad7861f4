import type { InboxItem } from "@/lib/contracts/delivery";

/** The browser's own notifications of what comes to the inbox: asked for by a click, kept in this browser. */

const KEY = "inbox-notices";

/** `blocked`: the person or the browser refused; `missing`: this browser has none. */
export type NoticeState = "on" | "off" | "blocked" | "missing";

const listeners = new Set<() => void>();

/** @returns stops listening */
export function onNotices(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** How it stands in this browser. */
export function noticeState(): NoticeState {
  if (!("Notification" in window)) return "missing";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && isKept() ? "on" : "off";
}

/** Asks the browser, which asks the person where it hasn't yet. To be called in a click only. */
export async function turnOnNotices(): Promise<void> {
  if (!("Notification" in window)) return;
  if ((await Notification.requestPermission()) === "granted") keep("on");
  for (const listener of listeners) listener();
}

export function turnOffNotices(): void {
  keep(null);
  for (const listener of listeners) listener();
}

/**
 * What is to be shown of an answer: what is unread and wasn't in the answers before.
 * @param known ids of all that was there before; null: this is the first answer, and nothing in it is news
 */
export function newsIn(
  items: readonly InboxItem[],
  known: ReadonlySet<string> | null,
): readonly InboxItem[] {
  if (known === null) return [];
  return items.filter(({ id, read_at: readAt }) => readAt === null && !known.has(id));
}

/** Shows one. Several tabs show it once: it has the name of what it is about. */
export function showNotice({ id, text, href }: InboxItem): void {
  const [title = "", ...rest] = text.split("\n");
  try {
    const notice = new Notification(title, { body: rest.join("\n"), tag: id, icon: "/icon.svg" });
    notice.addEventListener("click", () => {
      window.focus();
      window.location.assign(href);
    });
  } catch {
    // Some browsers have them for installed apps only. The inbox has it all.
  }
}

function isKept(): boolean {
  try {
    return window.localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

function keep(value: "on" | null): void {
  try {
    if (value === null) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, value);
  } catch {
    // Without storage it stays off.
  }
}
