import type { Message } from "@/lib/domain/delivery/message";
import { plainName } from "@/lib/domain/text/plain-name";
import { escapeHtml } from "@/lib/server/http/html";
import type { Mailer } from "./mail";
import { accepted, failed, type Sent, type ThreadHead } from "./sent";
import {
  MAIL_NOT_TAKEN,
  MAIL_TAKEN,
  MAIL_UNKNOWN,
  NO_MAIL_SERVER,
  OPEN_IN_PLUMBLINE,
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
  const outcome = await mailer.send({
    to,
    subject: subjectOf(message),
    text: `${message.text}\n\n${OPEN_IN_PLUMBLINE}: ${message.url}\n`,
    html: htmlOf(message),
    thread: {
      id: `${message.id}@${domain}`,
      firstId: firstId === message.id ? null : `${firstId}@${domain}`,
    },
  });
  if (outcome === "accepted") return accepted(MAIL_TAKEN);
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

/** The HTML of a mail about incidents; one to a person about their account is a `mailPage`. */
function htmlOf({ text, url }: Message): string {
  const [head = "", ...rest] = text.split("\n").map(escapeHtml);
  const lines = rest.map((line) => `<p style="margin:0 0 6px">${line}</p>`).join("");
  return `<!doctype html><html lang="en"><body style="margin:0;padding:24px;background:#fff;color:#1a1f29;font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"><p style="margin:0 0 12px;font-weight:600">${head}</p>${lines}<p style="margin:16px 0 0"><a href="${escapeHtml(url)}" style="color:#1d4ed8">${OPEN_IN_PLUMBLINE}</a></p></body></html>`;
}
