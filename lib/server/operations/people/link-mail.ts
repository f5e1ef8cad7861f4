import { fullMoment } from "@/lib/domain/words/dates";
import type { Mail } from "@/lib/server/delivery/mail";
import { mailPage } from "@/lib/server/delivery/mail-page";

/** Contents of the mail with a link: recipient, maker, and expiry. */
export type LinkMail = {
  to: { name: string; email: string };
  /** Name of the link's maker. */
  by: string;
  purpose: "invitation" | "reset";
  url: string;
  expiresAtMs: number;
};

/** The mail with a link for choosing a password. It names no company. */
export function linkMail({ to, by, purpose, url, expiresAtMs }: LinkMail): Mail {
  const { origin } = new URL(url);
  const words = {
    invitation: {
      subject: `${by} invited you to Plumbline`,
      lead: `${by} invited you to Plumbline at ${origin}. Choose a password to sign in.`,
      act: "Choose a password",
      foot: "If you weren’t expecting this, ignore it.",
    },
    reset: {
      subject: "Choose a new password for Plumbline",
      lead: `${by} created a link for you to choose a new password for Plumbline at ${origin}.`,
      act: "Choose a new password",
      foot: "Your current password works until you do. If you weren’t expecting this, ignore it and tell an administrator.",
    },
  }[purpose];
  const greeting = `Hello ${to.name},`;
  const until = `The link works once, until ${fullMoment(expiresAtMs, "UTC")}.`;
  return {
    to: to.email,
    subject: words.subject,
    text: [greeting, words.lead, url, until, words.foot].join("\n\n"),
    html: mailPage({
      ...words,
      greeting,
      button: { act: words.act, url },
      foot: [until, words.foot],
    }),
  };
}
