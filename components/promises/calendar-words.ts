/** Words of the dialog for calendar links. */

export const CALENDAR = "Calendar";

export const calendarDialog = {
  title: "Calendar links",
  about:
    "A calendar link shows this customer’s planned quiet times and promises in a calendar app. It doesn’t include reasons, notes or people.",
  access:
    "Anyone with the link can read it. It doesn’t expire: it works until you revoke it, or until you can no longer share this customer.",
  create: "Create link",
  creating: "Creating…",
  close: "Close",
  made: "Copy the link now. You won’t see it again. In your calendar app, add a calendar from a URL.",
  address: "Calendar link",
  copy: "Copy link",
  list: "Your calendar links",
  of: "Customer",
  created: "Created",
  by: "Created by",
  you: "You",
  ended: " (can no longer share this customer)",
  revoke: "Revoke",
  revoked: "Link revoked.",
  linkOf: (when: string) => `link created ${when}`,
  none: "No calendar links yet.",
  notLoaded: "Couldn’t load the calendar links.",
} as const;

/** @param when it was created */
export const confirmRevoke = (when: string) => ({
  title: `Revoke the link created ${when}?`,
  children: "Calendars that use it stop updating. You can’t undo this.",
  keep: "Keep link",
  act: "Revoke link",
});

/** @param status of the answer; null: none */
export function calendarRefusal(status: number | null, act: "create" | "revoke"): string {
  if (status === 403) return "You can’t share this customer.";
  if (status === 409) return "You have too many calendar links here. Revoke one first.";
  return act === "create"
    ? "Couldn’t create the link. Try again."
    : "Couldn’t revoke the link. Try again.";
}
