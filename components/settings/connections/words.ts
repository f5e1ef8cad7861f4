import type { ConnectionCheck, ConnectionsView, ConnectionView } from "@/lib/contracts/connections";
import type { Confidence, SourceReason } from "@/lib/domain/sync";
import {
  clockTimeWithSeconds,
  count,
  counted,
  duration,
  moment,
  span,
} from "@/lib/domain/words/format";
import { atMoment } from "@/lib/domain/words/dates";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { sourceReasonSentence } from "@/lib/domain/words/source-sentences";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Texts of the connections page. Instants are epoch milliseconds on the server's clock. */

type When = { nowMs: number; timeZone: string };

export const CONNECTIONS = "Connections";

/** For people who may not manage connections. */
export const noAccess = {
  title: "No access to connections",
  sentence: "Administrators see how Plumbline reads each company.",
};

// Page head.

/** "24 connections, 1 we can’t see" */
export function headline(amount: number, blind: number): string {
  const all = counted(amount, "connection");
  return blind === 0 ? all : `${all}, ${count(blind)} we can’t see`;
}

/** Numbers of delayed, failing and paused connections; empty for none. */
export function subline({
  delayed,
  failing,
  paused,
}: {
  delayed: number;
  failing: number;
  paused: number;
}): string {
  return [
    delayed === 0 ? "" : `${count(delayed)} delayed`,
    failing === 0 ? "" : `${count(failing)} with a failed last check`,
    paused === 0 ? "" : `${count(paused)} paused`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

export const SEARCH = "Company or host";
export const WHICH = "Which connections";
export const allChoice = (amount: number) => `All, ${count(amount)}`;
export const problemsChoice = (amount: number) => `With problems, ${count(amount)}`;

/**
 * State of `CONNECTIONS_FILE`, if there is one, and the numbers of companies and hosts.
 * @param amounts.ofFile number of companies in use from the file
 */
export function sourceLine(
  { file }: Pick<ConnectionsView["meta"], "file">,
  { companies, hosts, ofFile }: { companies: number; hosts: number; ofFile: number },
  { nowMs, timeZone }: When,
): string {
  const amounts = `${companiesText(companies)}, ${counted(hosts, "host")}`;
  if (file !== null) {
    const at = moment(Date.parse(file.read_at), nowMs, timeZone);
    const state = file.refused === null ? "no errors" : "newer version rejected";
    return ofFile === companies
      ? `CONNECTIONS_FILE read ${at}, ${amounts}, ${state}`
      : `CONNECTIONS_FILE read ${at}, ${companiesText(ofFile)}, ${state}. In all ${amounts}`;
  }
  return companies === 0 ? "" : amounts;
}

/** Where a connection comes from: a note under its owner. */
export const ORIGIN_TEXT: Readonly<Record<ConnectionView["origin"], string>> = {
  environment: "from V3_BASE_URL",
  file: "from CONNECTIONS_FILE",
  browser: "connected here",
  demo: "demo",
};
export const ADMINISTRATORS = "Administrators";

/** The connection made here that this one displaces. */
export const setAsideText = ({ name, host }: NonNullable<ConnectionView["set_aside"]>) =>
  `“${name}” (${host}), connected here, has the same address and isn’t used.`;

/** The place among those that wait for a first check. */
export const queueText = ({ place, of }: NonNullable<ConnectionView["queue"]>) =>
  `number ${count(place)} of ${count(of)} in line`;

export const CONNECT = "Connect a company";

export function companiesText(amount: number): string {
  return amount === 1 ? "1 company" : `${count(amount)} companies`;
}

/** Shown above the list while the file's current content isn't in use. */
export const refusedFile = {
  lead: (since: string) => `CONNECTIONS_FILE was rejected ${since}.`,
  rest: "The connections below stay as they were. Fix the file; Plumbline reads it again automatically.",
  more: (amount: number) => `And ${count(amount)} more.`,
  when: (sinceMs: number, { nowMs, timeZone }: When) => atMoment(sinceMs, nowMs, timeZone),
};

/** @param since time of the last response */
export function notRefreshed(since: string): string {
  return `Couldn’t refresh. As of ${since}.`;
}

// List.

export const listHead = {
  connection: "Connection",
  view: "Status",
  token: "Token",
  owner: "Owner",
  scopes: "Scopes granted",
  checks: "Checks",
  lastSuccess: "Last success",
  lastError: "Last error",
  action: "Actions",
};

/**
 * "Live", "Delayed, 6 m", "Can’t see since 08:12", "Paused since 08:12"
 * @param lastSuccessMs null: no check has succeeded
 * @param known.reason why the last check failed; null: it didn't
 */
export function viewText(
  confidence: Confidence,
  lastSuccessMs: number | null,
  { nowMs, timeZone }: When,
  {
    pausedMs = null,
    reason = null,
  }: Partial<{ pausedMs: number | null; reason: ConnectionView["reason"] }> = {},
): string {
  if (pausedMs !== null) return `Paused since ${moment(pausedMs, nowMs, timeZone)}`;
  if (lastSuccessMs === null)
    return reason === null || reason === "starting" ? "No check yet" : "No check has succeeded";
  const label = CONFIDENCE_LABEL[confidence];
  if (confidence === "live") return label;
  return confidence === "blind"
    ? `${label} since ${moment(lastSuccessMs, nowMs, timeZone)}`
    : `${label}, ${duration(Math.max(0, nowMs - lastSuccessMs))}`;
}

/** "reads feeds and files, deletes files" */
export function scopesText(scopes: ConnectionView["scopes"]): string {
  if (scopes === null) return "not known yet";
  const reads = [
    ...(scopes.includes("read:sync_status") ? ["feeds"] : []),
    ...(scopes.includes("read:schedule_files") ? ["files"] : []),
  ];
  const texts = [
    ...(reads.length > 0 ? [`reads ${reads.join(" and ")}`] : []),
    ...(scopes.includes("write:schedule_files") ? ["deletes files"] : []),
  ];
  return texts.length === 0 ? "none" : texts.join(", ");
}

/** When the token expires and when it was issued; null: no token. */
export function tokenTexts(
  token: ConnectionView["token"],
  { nowMs, timeZone }: When,
): [until: string, renewed: string] | null {
  if (token === null || Date.parse(token.expires_at) <= nowMs) return null;
  return [
    `until ${moment(Date.parse(token.expires_at), nowMs, timeZone)}`,
    `renewed ${moment(Date.parse(token.issued_at), nowMs, timeZone)}`,
  ];
}

export const NO_TOKEN = "none now";

/** How often a connection is checked, with an optional remark. */
export function checksTexts(
  {
    reason,
    rhythm_seconds: rhythmSeconds,
    check_seconds: checkSeconds,
    next_check_at: nextAt,
    requests_per_minute: perMinute,
    queue,
  }: Pick<
    ConnectionView,
    | "reason"
    | "rhythm_seconds"
    | "check_seconds"
    | "next_check_at"
    | "requests_per_minute"
    | "queue"
  >,
  { nowMs }: Pick<When, "nowMs">,
): [string, string] {
  if (reason === "disconnected") return ["paused", ""];
  if (reason === "secret_unreadable") return ["none", ""];
  const hasFailed = reason !== null && reason !== "starting";
  const seconds = hasFailed ? rhythmSeconds : checkSeconds;
  const aheadMs = nextAt === null ? 0 : Date.parse(nextAt) - nowMs;
  const next = aheadMs >= MINUTE_MS ? `next in ${duration(aheadMs)}` : "";
  const about = seconds >= LONG_SECONDS ? "about every" : "every";
  const remark = queue === null || queue.of === 1 ? next : queueText(queue);
  const plain = hasFailed ? "slower after an error" : `${requestsText(perMinute)} requests/min`;
  return [`${about} ${span(seconds * 1000)}`, remark === "" ? plain : remark];
}

const LONG_SECONDS = 120;

function requestsText(perMinute: number): string {
  return perMinute < 0.1 ? "under 0.1" : perMinute.toFixed(1);
}

/** "08:11:47"; with the date if not today. */
export function lastSuccessText(lastSuccessMs: number | null, { nowMs, timeZone }: When): string {
  if (lastSuccessMs === null) return "never";
  const text = moment(lastSuccessMs, nowMs, timeZone);
  return /^\d/.test(text) ? clockTimeWithSeconds(lastSuccessMs, timeZone) : text;
}

/** The current error and its duration; null: none. */
export function errorTexts(
  { reason, limited_until: limitedUntil, last_success_at: successAt }: ConnectionView,
  { nowMs, timeZone }: When,
): [string, string] | null {
  if (reason === null || reason === "starting" || reason === "disconnected") return null;
  const resetMs = limitedUntil === null ? null : Date.parse(limitedUntil);
  const age =
    successAt === null
      ? "No check has succeeded yet"
      : `Failing for up to ${duration(Math.max(0, nowMs - Date.parse(successAt)))}`;
  return [sourceReasonSentence(reason, { resetMs, nowMs, timeZone }), age];
}

const GAP_WORDS: Readonly<Record<SourceReason, string>> = {
  unreachable: "source not responding",
  rate_limited: "rate limited",
  unauthorized: "credentials rejected",
  forbidden: "reading not allowed",
  invalid_response: "invalid responses",
  starting: "starting",
  disconnected: "paused",
  secret_unreadable: "secret unreadable",
};

/** A past gap: "06:21, source not responding for 9 m". */
export function gapText(
  { reason, from, until }: NonNullable<ConnectionView["last_gap"]>,
  { nowMs, timeZone }: When,
): string {
  const lengthMs = Math.max(0, Date.parse(until) - Date.parse(from));
  return `${moment(Date.parse(from), nowMs, timeZone)}, ${GAP_WORDS[reason]} for ${duration(lengthMs)}`;
}

// Manual check.

export const CHECK = "Check now";
export const checkLabel = (name: string) => `${CHECK}: ${name}`;
/** @param seconds since the request */
export const checking = (seconds: number) =>
  seconds < 2 ? "Checking…" : `Checking… ${count(seconds)} s`;

/** Outcome of a check, as live region text. */
export const said = (name: string, text: string) => `\u2068${name}\u2069: ${text}`;

/** Outcome of a check, in one to three sentences. */
export function checkText(check: ConnectionCheck, { nowMs, timeZone }: When): string {
  const { reason, reached, rows, scopes, took_ms: tookMs, retry_at: retryAt } = check;
  const took = `Took ${tookText(tookMs)}.`;
  const granted = scopes === null ? "" : ` Scopes: ${scopesText(scopes)}.`;
  if (reason === null) {
    return `Connected and signed in.${granted} ${counted(rows ?? 0, "feed")} reported. ${took}`;
  }
  const retryMs = retryAt === null ? null : Date.parse(retryAt);
  const again =
    retryMs === null || retryMs <= nowMs ? "" : ` Try again ${atMoment(retryMs, nowMs, timeZone)}.`;
  if (reached === "not_sent") return `${NOT_SENT[reason]}${again}`;
  const resetMs = reason === "rate_limited" ? retryMs : null;
  const sentence = FAILED[reason] ?? sourceReasonSentence(reason, { resetMs, nowMs, timeZone });
  const step = reached === "rows" ? "Signed in." : "Couldn’t sign in.";
  return `${step} ${sentence}${reason === "rate_limited" ? "" : again}${granted} ${took}`;
}

const NOT_SENT: Readonly<Record<SourceReason, string>> = {
  unreachable: "Not sent: Plumbline can’t reach its own database right now.",
  rate_limited: "Not sent: the request limit for this host is used up.",
  unauthorized: "Not sent: the source rejected our credentials a moment ago.",
  forbidden: "Not sent: our credentials don’t allow it.",
  invalid_response: "Not sent.",
  starting: "Not sent.",
  disconnected: "Not sent: the connection is paused.",
  secret_unreadable: "Not sent: the stored secret can’t be decrypted.",
};

/** Replaces banner texts that would be wrong for a check. */
const FAILED: Partial<Readonly<Record<SourceReason, string>>> = {
  invalid_response: "The source sent an invalid response.",
};

function tookText(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** @param seconds until the next check is allowed; null: unknown */
export function notChecked(status: number, seconds: number | null): string {
  if (status === 429) {
    return `Checked a moment ago. Try again in ${counted(seconds ?? 5, "second")}.`;
  }
  if (status === 404) return "This connection was removed.";
  if (status === 403) return "You no longer have the right to check connections.";
  if (status === 0) return "Plumbline didn’t respond. Try again.";
  return "Plumbline couldn’t run the check. Try again.";
}

// Notes below the list.

export const listWords = {
  none: {
    title: "No connections yet",
    sentence:
      "Connect a company with its base URL, a client ID and a secret. It takes about 3 minutes.",
  },
  noMatches: {
    sentence: "No connection matches.",
    show: "Show all connections",
  },
};

export const pageWords = {
  label: "Pages of connections",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${count(page)} of ${count(pages)}, ${counted(total, "connection")}`,
};

/** What companies on one host share. */
export function hostSentence(
  companies: number,
  { requests, tokens }: { requests: number; tokens: number },
): string {
  return `gets at most ${count(requests)} requests and ${counted(tokens, "sign-in")} a minute, shared by ${companiesText(companies)}. Companies someone is viewing go first.`;
}

/** Processor time used by the instance that answered, as a share of one core; null: not measured yet. */
export function coreUseSentence(use: ConnectionsView["meta"]["capacity"]["core_use"]): string {
  if (use === null) return "Processor use isn’t known yet: measuring takes a minute after a start.";
  const percent = Math.round(100 * use.cores);
  const share = percent < 1 ? "less than 1%" : `${count(percent)}%`;
  const minutes = Math.round(use.over_seconds / 60);
  const period = minutes === 1 ? "minute" : `${count(minutes)} minutes`;
  return `This instance used ${share} of one core over the last ${period}, not counting the database.`;
}

/** What the request limit leaves room for. */
export function roomSentence(requests: number, companies: number): string {
  const limit = `The limit of ${counted(requests, "request")} a minute for each host`;
  return companies === 0
    ? `${limit} doesn’t allow checking any company every minute.`
    : `${limit} allows checking ${companiesText(companies)} of up to 100 feeds about once a minute.`;
}

export const leftWords = {
  title: (amount: number) => `No longer connected, ${count(amount)}`,
  intro:
    "Plumbline no longer reads these companies. Administrators can read their history until it’s deleted with “npm run companies -- forget”.",
  resume: "Connect the same host and client ID again to resume it.",
  since: (at: string | null) => (at === null ? "disconnected just now" : `disconnected ${at}`),
  more: (amount: number) => `And ${count(amount)} more.`,
};
