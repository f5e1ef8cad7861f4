import { REMOVE } from "./administrator-words";

/** Texts that only administrators read, with the words of settings. */

export const removeDialog = {
  title: "Remove the demo?",
  keep: "Keep the demo",
  act: REMOVE,
  /** @param companies names, at least one */
  goes: (companies: readonly string[]) =>
    `This deletes ${new Intl.ListFormat("en").format(companies)} with their whole history, incidents, share links and planned quiet times. The demo accounts (viewer, member and operator) are signed out and deleted.`,
  stays:
    "Your own companies, people, channels and settings aren’t affected. The activity log keeps its entries. The demo can’t be brought back.",
};

export const proof = { act: "remove the demo", untouched: "Nothing has been removed yet." };

/** Why the demo wasn’t removed. */
export function refusal(status: number): string {
  if (status === 404) return "The demo was already removed. Reload the page.";
  if (status === 403) return "You no longer have the right to remove the demo.";
  if (status === 0)
    return "Plumbline didn’t respond. Reload the page to see whether the demo is still there.";
  return "Couldn’t remove the demo. Try again.";
}
