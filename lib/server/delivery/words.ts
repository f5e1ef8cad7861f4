import { listed } from "@/lib/domain/text/listed";

export const TELL_THE_CUSTOMER = "Tell the customer";
export const NO_MAIL_SERVER = "Email isn’t set up in Plumbline.";
export const MAIL_TAKEN = "The mail server accepted it.";
/** @param addresses of some of the recipients */
export const mailRefusedFor = (addresses: readonly string[]) =>
  `The mail server accepted it, but not for ${addresses.length > 3 ? `${addresses.length} of the addresses` : listed(addresses)}.`;
export const MAIL_NOT_TAKEN = "The mail server rejected it.";
export const MAIL_UNKNOWN = "The mail server stopped responding; it may have accepted the email.";
export const TEST_TEXT = "This is a test from Plumbline. If you can read it, this channel works.";
export const REMOVED = "The channel was removed.";
export const UNREADABLE =
  "Its settings can’t be read: AUTH_SECRET has changed since. Enter them again.";
export const NO_ACCESS = "They no longer have access to this company.";
/** @param company its name */
export const unreadableSecret = (company: string): string =>
  `We can’t see ${company}: its stored client secret can’t be decrypted. AUTH_SECRET has probably changed since it was entered. Nothing is sent to its API. Enter the secret again under Settings, Connections.`;

/** In the message about an incident, once a message about several reports it. @param title of that message */
export const widerText = (title: string) => `Part of a wider problem: ${title}.`;
export const WIDER_FOOT = "Updates follow in the message about it.";
export const OPEN_WIDER = "Open the wider problem";
