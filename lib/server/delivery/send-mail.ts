import type { Message } from "@/lib/domain/delivery/message";
import { plainName } from "@/lib/domain/text/plain-name";
import { contentOf } from "@/lib/domain/words/messages/company-content";
import type { Mailer } from "./mail";
import { messagePage } from "./mail-page";
import { accepted, failed, type Sent, type ThreadHead } from "./sent";
import {
  MAIL_NOT_TAKEN,
  MAIL_TAKEN,
  MAIL_UNKNOWN,
  mailRefusedFor,
  NO_MAIL_SERVER,
  TELL_THE_CUSTOMER,
} from "./words";

/** Sends a mail; mails about one incident form a thread. @param domain for message ids */
export async function sendMail(
  mailer: Mailer | null,
  { to }: { to: readonly string[] },
  message: Message,
  { firstId }: ThreadHead,
  domain: string,
): Promise<Sent> {
  if (mailer === null) return failed(NO_MAIL_SERVER, true);
  const subject = subjectOf(message);
  let refused: readonly string[] = [];
  const outcome = await mailer.send({
    to,
    subject,
    text: textOf(message),
    html: messagePage(contentOf(message), { subject, head: headOf(message), url: message.url }),
    thread: {
      id: `${message.id}@${domain}`,
      firstId: firstId === message.id ? null : `${firstId}@${domain}`,
    },
    onRefused: (addresses) => (refused = addresses),
  });
  // Not retried: the others would get it again.
  if (outcome === "accepted")
    return accepted(refused.length === 0 ? MAIL_TAKEN : mailRefusedFor(refused));
  if (outcome === "failed") return failed(MAIL_NOT_TAKEN, false);
  return { ...failed(MAIL_UNKNOWN, false), outcome: "unknown" };
}

/** The same for all mails about an incident, because some mail clients thread by subject. */
function subjectOf({ incident, company, type, text }: Message): string {
  const where = plainName(company?.name ?? "a customer");
  if (incident !== null)
    return `${plainName(incident.partner_name)} at ${where}, incident ${incident.id}`;
  if (type === "company.blind" || type === "company.seen_again") return `${where}: visibility`;
  const [first = ""] = text.split("\n");
  return plainName(first).replace(/[:.]$/, "");
}

/** "Plumbline · Northgate Builders · Mon 23 Nov 2026, 07:22 CET" */
function headOf(message: Message): string {
  const { company } = message;
  return ["Plumbline", company === null ? "" : plainName(company.name), contentOf(message).written]
    .filter((part) => part !== "")
    .join(" · ");
}

/** The same words in the same order as in the HTML. */
function textOf(message: Message): string {
  const { open, paragraph, foot } = contentOf(message);
  return `${[
    message.text,
    `${open}: ${message.url}`,
    ...(paragraph === null ? [] : [`${TELL_THE_CUSTOMER}:\n${paragraph}`]),
    foot
      .map(({ text, link }) => (link === null ? text : `${text} ${link.label}: ${link.url}`))
      .join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}
