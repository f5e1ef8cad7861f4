/** Texts that only administrators read, with the words of settings. */

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
