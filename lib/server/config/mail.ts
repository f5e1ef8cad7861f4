import { z } from "zod";
import type { MailServer } from "@/lib/server/delivery/mail";
import { parseUrl, type Environment } from "@/lib/server/environment";
import type { Variables } from "./variables";

/** Mail server and sender. */
export type MailConfig = { server: MailServer; from: { name: string; address: string } };

export const SERVER_RULE =
  "must be an address such as smtps://user:password@host or smtp://host:25";
export const FROM_RULE =
  "must be an e-mail address, or a name with one: Plumbline <plumbline@example.com>";

export const mailServer = parsedBy(serverOf);
export const mailSender = parsedBy(senderOf);

/** @param parse returns null for what is refused */
function parsedBy<T>(parse: (text: string) => T | null) {
  return z.string().transform((text, context) => {
    const parsed = parse(text);
    if (parsed !== null) return parsed;
    context.addIssue({ code: "custom" });
    return z.NEVER;
  });
}

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

function serverOf(text: string): Omit<MailServer, "needsTls"> | null {
  const url = parseUrl(text);
  const isSecure = url?.protocol === "smtps:";
  if (url === null || (!isSecure && url.protocol !== "smtp:")) return null;
  const rest = url.pathname + url.search + url.hash;
  const [host, user, password] = [url.hostname, url.username, url.password].map(decoded);
  if (!host || rest.replace("/", "") !== "") return null;
  if (user === undefined || password === undefined) return null;
  if ((user === "") !== (password === "")) return null;
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    credentials: user === "" ? null : { user, password },
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function senderOf(text: string): MailConfig["from"] | null {
  const named = /^(?:"([^"<>]{0,80})"|([^"<>]{0,80}?))\s*<([^<>]+)>$/.exec(text);
  const address = z.email().safeParse(named === null ? text : named[3]);
  if (!address.success || /\p{Cc}/u.test(text)) return null;
  return { name: named?.[1] ?? named?.[2] ?? "", address: address.data };
}
