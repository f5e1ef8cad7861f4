import { SCOPES, type Scope } from "@/lib/contracts/v3";
import { listed } from "@/lib/domain/text/listed";
import { count, counted, duration } from "@/lib/domain/words/format";

/** Sentences of a connection's check: what was found, and what to do about it. */
export type Finding = { text: string; note: string | null };

const say = (text: string, note: string | null = null): Finding => ({ text, note });

const seconds = (ms: number) => counted(Math.max(1, Math.ceil(ms / 1000)), "second");

export const addressWords = {
  /** @param certificateUntilMs epoch milliseconds; null: unknown */
  answered: (
    host: string,
    { isSecure, certificateUntilMs }: { isSecure: boolean; certificateUntilMs: number | null },
  ) => say(`${host} answered.`, `${connectionText(isSecure, certificateUntilMs)} No redirect.`),
  isPrivate: (host: string) =>
    say(
      `${host} has a private or reserved address, which Plumbline doesn’t connect to.`,
      "Use a public address, or have this one added to ALLOWED_TARGETS.",
    ),
  isPlain: (host: string) =>
    say(
      `Plumbline doesn’t connect to ${host} over http, because that isn’t encrypted.`,
      "Use https, or have its address added to ALLOWED_TARGETS.",
    ),
  noSuchHost: (host: string) =>
    say(`No host named ${host} was found.`, "Check the spelling of the base URL."),
  refused: (host: string) =>
    say(`${host} refuses connections.`, "Check host and port. Its API may be down."),
  noConnection: (host: string) =>
    say(
      `${host} didn’t accept a connection in time.`,
      "Check host and port, and whether a firewall blocks requests from Plumbline.",
    ),
  tooSlow: (host: string, limitMs: number) =>
    say(
      `${host} didn’t answer within ${duration(limitMs)}.`,
      "Try again. If it stays slow, tell its administrator.",
    ),
  proxy: (host: string) =>
    say(
      `The proxy refused to connect to ${host}.`,
      "Have the proxy allow this host, or add it to NO_PROXY.",
    ),
  selfSigned: (host: string) =>
    say(
      `The certificate of ${host} is self-signed or from an unknown authority.`,
      "If the authority is your own, set NODE_EXTRA_CA_CERTS to the file of its certificate and restart Plumbline.",
    ),
  expired: (host: string) =>
    say(`The certificate of ${host} isn’t valid at this time.`, "Tell its administrator."),
  otherName: (host: string) =>
    say(`The certificate isn’t for ${host}.`, "Check the host in the base URL."),
  noTls: (host: string) =>
    say(
      `${host} doesn’t offer https that Plumbline can use.`,
      "Check the port, and whether the address starts with https.",
    ),
  brokeOff: (host: string) =>
    say(
      `${host} broke off the connection.`,
      "Try again. If it happens again, check host and port.",
    ),
  tooLarge: (host: string) =>
    say(
      `${host} sent more data than a v3 API does, so reading was stopped.`,
      "Check the base URL. If it’s right, tell its administrator.",
    ),
  notReadable: (host: string) =>
    say(
      `${host} sent an answer that can’t be read.`,
      "Check the base URL. If it’s right, tell its administrator.",
    ),
  cached: (host: string) =>
    say(
      `A cache in front of ${host} gave an old answer.`,
      "Have its administrator exclude the API from that cache.",
    ),
  /** @param target null: it doesn't say where to */
  redirects: (host: string, target: string | null) =>
    say(
      target === null ? `${host} redirects.` : `${host} redirects to ${target}.`,
      "Redirects aren’t followed. Enter the address that the API itself has.",
    ),
  webPage: (host: string) =>
    say(
      `${host} answered with a web page, so this is not a v3 API.`,
      "Check the path. It usually ends in /api/v3.",
    ),
  pathMissing: say("This is not a v3 API: /api/v3 is missing.", "Add it to the base URL."),
  notFound: (host: string, path: string) =>
    say(`${host} has no v3 API at ${path}.`, "Check the path of the base URL."),
  broken: (host: string, status: number) =>
    say(
      `${host} answered with the error ${status}.`,
      "Its API isn’t working right now. Try again later.",
    ),
  /** Not in the words of the API, so that its rights may not be the reason. */
  forbids: (host: string) =>
    say(
      `${host} refused the request without giving a reason (status 403).`,
      "A firewall or proxy in front of the API may block Plumbline. Ask its administrator.",
    ),
  unexpected: (host: string, status: number) =>
    say(
      `${host} answered with the status ${status}, which isn’t that of a v3 API.`,
      "Check the base URL.",
    ),
};

export const budgetWords = {
  limited: (host: string, waitMs: number) =>
    say(`${host} limits our requests for another ${seconds(waitMs)}.`, "Try again after that."),
  ours: (host: string, waitMs: number) =>
    say(
      `Not sent: our own limit for requests to ${host} is used up for another ${seconds(waitMs)}.`,
      "Try again after that.",
    ),
  noDatabase: say("Not sent: Plumbline can’t reach its own database right now.", "Try again."),
};

export const tokenWords = {
  granted: (lifeMs: number, renewMs: number) =>
    say(
      "Client ID and secret were accepted.",
      `The token lasts ${duration(lifeMs)}; we renew it after ${duration(renewMs)}.`,
    ),
  rejected: say(
    "The client ID or secret was rejected.",
    "Check both. A secret is easily cut off when it’s copied.",
  ),
  notRegistered: say(
    "This client isn’t registered for client credentials.",
    "Ask the API’s administrator to allow it that grant.",
  ),
  noSuchGrant: say(
    "The API doesn’t issue tokens for client credentials.",
    "Check the base URL. If it’s right, tell the API’s administrator.",
  ),
  noScope: say(
    "No scope is granted to this client.",
    "Ask the API’s administrator to grant it read:sync_status.",
  ),
  notAToken: say(
    "The answer to our sign-in isn’t a token.",
    "Check the base URL. If it’s right, tell the API’s administrator.",
  ),
  noEndpoint: (path: string) =>
    say(`This is not a v3 API: there’s no ${path}.`, "Check the path. It usually ends in /api/v3."),
};

const USES: Readonly<Record<Scope, { use: string; missing: string }>> = {
  "read:sync_status": {
    use: "feeds, verdicts, incidents, reports",
    missing: "reading feeds",
  },
  "read:schedule_files": { use: "schedule files and projects", missing: "reading schedule files" },
  "write:schedule_files": { use: "deleting schedule files", missing: "deleting schedule files" },
};

/** In the order in which they matter. */
export const SHOWN_SCOPES = [
  "read:sync_status",
  "read:schedule_files",
  "write:schedule_files",
] as const satisfies readonly Scope[];
export const useOf = (scope: Scope): string => USES[scope].use;

export const scopeWords = {
  all: say(`All ${SCOPES.length} scopes are granted.`),
  some: (missing: readonly Scope[]) => {
    const grantedCount = SCOPES.length - missing.length;
    return say(
      `${grantedCount} of ${SCOPES.length} scopes ${grantedCount === 1 ? "is" : "are"} granted; ${listed(missing.map((scope) => USES[scope].missing))} ${missing.length === 1 ? "is" : "are"} missing.`,
      missing.includes("read:sync_status")
        ? "Without read:sync_status nothing can be shown. Ask the API’s administrator to grant it."
        : "You can connect anyway: what isn’t granted stays hidden. The API’s administrator can grant it later.",
    );
  },
};

export const rowsWords = {
  /** @param partners null: not all rows were read */
  read: (endpoints: number, partners: number | null, pages: number) =>
    say(
      partners === null
        ? `${counted(endpoints, "feed")} on ${counted(pages, "page")}.`
        : `${counted(endpoints, "feed")} of ${counted(partners, "partner")}.`,
      endpoints === 0 ? "Nothing will be shown until there are some." : null,
    ),
  tooMany: (endpoints: number, most: number) =>
    say(
      `The API has ${counted(endpoints, "feed")}; Plumbline can read ${count(most)} per company.`,
      "Ask its administrator whether this client sees more than it should.",
    ),
  notGranted: say(
    "Reading feeds isn’t granted.",
    "Ask the API’s administrator to grant read:sync_status to this client.",
  ),
  notAllowed: say(
    "The API doesn’t let this client read feeds.",
    "Ask its administrator to check the rights of this client.",
  ),
  tokenRefused: say(
    "The API rejected the token that it had just issued.",
    "Try again. If it happens again, tell its administrator.",
  ),
  wrongShape: say(
    "The feeds aren’t in the form of the v3 API.",
    "Check the base URL. If it’s right, tell the API’s administrator.",
  ),
};

export const filesWords = {
  read: (files: number) => say(`${counted(files, "schedule file")}.`),
  notGranted: say("Not granted, so schedule files stay hidden."),
  notAllowed: say(
    "The API doesn’t let this client read schedule files.",
    "They stay hidden. Its administrator can change the rights of this client.",
  ),
  wrongShape: say(
    "The schedule files aren’t in the form of the v3 API.",
    "They stay hidden. Tell the API’s administrator.",
  ),
};

export const rateLimitWords = {
  seen: (limit: number, planned: number) =>
    say(
      `${count(limit)} requests a minute, according to its answers.`,
      `Our checks need about ${planned < 1 ? "one or fewer" : count(Math.round(planned))} a minute.`,
    ),
  tooLow: (limit: number, planned: number) =>
    say(
      `It allows only ${counted(limit, "request")} a minute, according to its answers.`,
      `Our checks would need about ${count(Math.round(planned))}, so they’ll be less frequent.`,
    ),
  unknown: (most: number) =>
    say(
      "Its answers don’t name a rate limit.",
      `We send at most ${count(most)} requests a minute.`,
    ),
};

export const clockWords = {
  agrees: say("Its clock agrees with ours."),
  differs: (offsetMs: number) =>
    say(
      `Its clock is ${distance(Math.abs(offsetMs))} ${offsetMs > 0 ? "ahead of" : "behind"} ours.`,
      "We correct for it: ages are counted by its clock.",
    ),
  unknown: say("Its answers don’t name the time.", "Ages are counted by our clock."),
};

function connectionText(isSecure: boolean, certificateUntilMs: number | null): string {
  if (!isSecure) return "Not encrypted.";
  if (certificateUntilMs === null) return "HTTPS certificate valid.";
  return `HTTPS certificate valid until ${DAY.format(certificateUntilMs)}.`;
}

/** "3 Mar 2027". */
const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

function distance(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms);
}

export const SKIPPED = say("Not checked, because an earlier step failed.");
