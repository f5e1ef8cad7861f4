/** Texts that only administrators read, with the words of settings. */

export const CONNECT = "Connect your first company";
export const REMOVE = "Remove the demo";

export const FIRST_STEPS = "First steps";

export const firstSteps = [
  {
    title: "Connect a company",
    sentence:
      "You need its base URL, a client ID and a secret. We check them before anything is saved. It takes about 3 minutes.",
    act: "Connect",
    href: "/settings/connections/new",
  },
  {
    title: "Invite your colleagues",
    sentence:
      "By email, or with your company’s sign-in. Each person sees only the companies you choose.",
    act: "Invite",
    href: "/settings/people",
  },
  {
    title: "Send news to Slack, Teams or email",
    sentence: "One message per incident, updated in place, and one when it has ended.",
    act: "Add a channel",
    href: "/settings/channels",
  },
] as const;

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
