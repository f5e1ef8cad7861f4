import type { Mail, Mailer } from "@/lib/server/delivery/mail";
import { mailPage } from "@/lib/server/delivery/mail-page";

/** What changed about how a person signs in. */
export type Notice =
  | "password"
  | "second-factor-on"
  | "second-factor-off"
  | "second-factor-reset"
  | "recovery-codes";

type Recipient = { name: string; email: string };

/**
 * Tells a person by mail what changed about how they sign in, where mail is configured. Not awaited, because the change
 * stands whether or not the mail arrives; the log says whether it was sent.
 */
export function mailNotice(
  { mailer, appUrl }: { mailer: Mailer | null; appUrl: string },
  to: Recipient,
  notice: Notice,
): void {
  if (mailer !== null) void mailer.send(noticeMail(to, notice, appUrl));
}

/** The mail about a change. It contains no link, so that people don't get used to following one. */
export function noticeMail(to: Recipient, notice: Notice, appUrl: string): Mail {
  const { origin } = new URL(appUrl);
  const [subject, lead] = {
    password: [
      "Your Plumbline password was changed",
      `The password of your account at ${origin} was changed. Your other sessions have ended.`,
    ],
    "second-factor-on": [
      "Two-step sign-in is on for Plumbline",
      `Signing in at ${origin} now also needs a code from your authenticator app.`,
    ],
    "second-factor-off": [
      "Two-step sign-in is off for Plumbline",
      `Signing in at ${origin} no longer needs a code from your authenticator app.`,
    ],
    "second-factor-reset": [
      "Two-step sign-in was reset for Plumbline",
      `An administrator reset two-step sign-in for your account at ${origin}. Your sessions have ended. Sign in with your password, then set up your authenticator app again.`,
    ],
    "recovery-codes": [
      "Your Plumbline recovery codes were replaced",
      `New recovery codes were created for your account at ${origin}. Earlier ones no longer work.`,
    ],
  }[notice] as [string, string];
  const greeting = `Hello ${to.name},`;
  const foot = "If this wasn’t you, tell an administrator right away.";
  return {
    to: to.email,
    subject,
    text: [greeting, lead, foot].join("\n\n"),
    html: mailPage({ subject, greeting, lead, button: null, foot: [foot] }),
  };
}
