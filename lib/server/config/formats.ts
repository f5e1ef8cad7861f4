import { z } from "zod";
import { isCompanySlug, RESERVED_SLUGS } from "@/lib/domain/company-slug";
import { zoneNamed } from "@/lib/domain/time/present-zone";
import type { MailServer } from "@/lib/server/delivery/mail";
import { parseUrl } from "@/lib/server/environment";

// Formats of single values in variables and configuration files, with the rule that a problem quotes.

export const slug = z.string().refine(isCompanySlug);

const RESERVED = [...RESERVED_SLUGS].join(", ");
export const SLUG_RULE = `must be 1 to 40 of a-z, 0-9 and -, and not one of our own addresses (${RESERVED}). If it was allowed before, choose another, and run "npm run companies -- rename OLD NEW" before the next start, which moves what was recorded`;
export const BASE_URL_RULE =
  "must be an http or https address without credentials, ? or #, such as https://host/api/v3";

/** A time zone known to this machine, converted to its current name. */
export const timeZone = z.string().transform((name, context) => {
  const zone = zoneNamed(name);
  if (zone !== null) return zone;
  context.addIssue({ code: "custom" });
  return z.NEVER;
});

export const TIME_ZONE_RULE = "must be a time zone such as Europe/Oslo";

/** A name, perhaps empty, and its e-mail address. */
export type MailSender = { name: string; address: string };

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

function senderOf(text: string): MailSender | null {
  const named = /^(?:"([^"<>]{0,80})"|([^"<>]{0,80}?))\s*<([^<>]+)>$/.exec(text);
  const address = z.email().safeParse(named === null ? text : named[3]);
  if (!address.success || /\p{Cc}/u.test(text)) return null;
  return { name: named?.[1] ?? named?.[2] ?? "", address: address.data };
}
