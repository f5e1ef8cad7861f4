import type { MailServer } from "@/lib/server/delivery/mail";
import type { Environment } from "@/lib/server/environment";
import type { MailSender } from "./formats";
import type { Variables } from "./variables";

/** Mail server and sender. */
export type MailConfig = { server: MailServer; from: MailSender };

/**
 * Reads `SMTP_URL` and `MAIL_FROM`, which require each other.
 * @returns null without them; problems are added to the environment
 */
export function readMail(
  { problems, given, together }: Environment,
  { SMTP_URL: server, MAIL_FROM: from, MAIL_WITHOUT_TLS: withoutTls }: Variables,
): MailConfig | null {
  if (!together(["SMTP_URL", "MAIL_FROM"])) return null;
  // Links in mails need the public address.
  if (given("APP_URL") === undefined) problems.push("SMTP_URL: needs APP_URL, for links in mails");
  return server === null || from === null
    ? null
    : { server: { ...server, needsTls: withoutTls === null }, from };
}
