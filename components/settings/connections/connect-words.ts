import type { CheckStep, ConnectionView } from "@/lib/contracts/connections";
import { sourceReasonSentence } from "@/lib/domain/words/source-sentences";
import { count, counted, duration, moment, span } from "@/lib/domain/words/format";
import { isResting } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { DraftField, Problem } from "./connect-draft";

/** Texts of the page that connects a company. Instants are epoch milliseconds on the server's clock. */

export const TITLE = "Connect a company";
export const CRUMBS = "Breadcrumb";
export const NEW = "New";

/** The company’s name in sentences. @param name as typed */
const called = (name: string) => (name.trim() === "" ? "This company" : name.trim());

export const passwordFirst = {
  own: {
    lead: "Change your password first.",
    sentence:
      "It was printed when Plumbline started, so it may be in a log. Then you can connect a company.",
  },
  other: (email: string) => ({
    lead: `The password of ${email} has to be changed first.`,
    sentence:
      "It was printed when Plumbline started, so it may be in a log. Until then, no one can connect a company.",
  }),
  act: "Go to your account",
};

// Title.

/** "Halden Construction can be connected; 1 scope is missing" */
export function canConnect(name: string, missing: number): string {
  const scopes = missing === 1 ? "1 scope is missing" : `${count(missing)} scopes are missing`;
  return `${called(name)} can be connected${missing === 0 ? "" : `; ${scopes}`}`;
}
export const cannotConnect = (name: string) => `${called(name)} can’t be read yet`;
export const connectedTitle = (name: string) => `${called(name)} is connected`;
/** Although the check failed. */
export const savedTitle = (name: string) => `${called(name)} is saved`;

// Form.

export const COMPANY = "The company";
export const fields = {
  name: "Name",
  slug: "Address",
  baseUrl: "Base URL",
  clientId: "Client ID",
  clientSecret: "Client secret",
  owner: "Owner",
  timeZone: "Time zone",
  externalId: "External ID",
};
export const hints = {
  name: "What your team calls this customer.",
  /** @param host of this installation @param slug empty: none yet */
  slug: (host: string, slug: string) =>
    `${slug === "" ? `Of its pages on ${host}` : `${host}/${slug}`}. It can’t be changed later, because links depend on it.`,
  clientSecret: "Stored encrypted. No one can read it again, not even you.",
  owner: "New incidents go to this person.",
  timeZone: "For the days of its reports.",
  externalId: "Its ID in your CRM, for example. Optional.",
};
export const BASE_URL_EXAMPLE = "https://api.example.com/api/v3";
export const ADMINISTRATORS = "Administrators";
export const PEOPLE_LOADING = "Loading people…";
/** Under an empty secret after a sign-in at the identity provider. */
export const SECRET_AGAIN = "Enter the secret again: your browser doesn’t keep it.";

const EMPTY: Readonly<Record<DraftField, string>> = {
  name: "Enter a name.",
  slug: "Enter an address, such as “halden”.",
  baseUrl: "Enter the base URL of its API.",
  clientId: "Enter the client ID.",
  clientSecret: "Enter the client secret.",
  externalId: "",
};

/** @param slug the address in question */
export function problemText(
  field: DraftField,
  problem: NonNullable<Problem>,
  slug: string,
): string {
  switch (problem) {
    case "empty":
      return EMPTY[field];
    case "taken":
      return `/${slug} is already in use. Choose another address.`;
    case "environment":
      return "Enter the secret itself. “env:” works in CONNECTIONS_FILE only.";
    case "invalid":
      return field === "slug"
        ? "Use 1 to 40 of a–z, 0–9 and hyphens, and none of Plumbline’s own addresses."
        : `Enter an address such as ${BASE_URL_EXAMPLE}, without a password or query.`;
  }
  return problem satisfies never;
}

// Check.

export const CHECK = "Check";
export const CHECK_AGAIN = "Check again";
export const STOP = "Stop";
export const CHECK_NOTE = "A check reads once. It changes nothing.";
/** @param step from 1 */
export const checkingStep = (step: number, steps: number) => `Checking, step ${step} of ${steps}`;
/** @param at a moment */
export const checkedAt = (at: string) => `Checked ${at} with the values above.`;
export const OUTDATED = "You changed the values since this check. Check again.";
export const STOPPED = "Stopped. Nothing was saved.";
export const FOUND = "What we found";
export const NOTHING_YET =
  "A check tells you whether the API answers, accepts the credentials and has data, before anything is saved.";

export const stepNames: Readonly<Record<CheckStep["step"], string>> = {
  address: "Address",
  token: "Token",
  scopes: "Scopes",
  rows: "First rows",
  files: "Schedule files",
  rate_limit: "Rate limit",
  clock: "Clock",
};
export const WAITING = "Waiting";
/** @param seconds since the step began */
export const working = (seconds: number) =>
  seconds < 2 ? "Checking…" : `Checking… ${count(seconds)} s`;
/** For assistive technology, which sees no marks. */
export const stateWords = { true: "Passed", false: "Failed", null: "Not checked" } as const;
/** @param use what a scope permits */
export const scopeText = (isGranted: boolean, use: string) =>
  isGranted ? use : `not granted: ${use}`;

export function tookText(ms: number): string {
  return ms < 1_000 ? `${count(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export const SAMPLE = "First rows";
export const sampleHead = {
  partner: "Partner",
  endpoint: "Feed",
  expected: "Expected",
  received: "Data received",
  next: "Next sync",
};
/** @param minutes null: no schedule */
export const expectedText = (minutes: number | null, status: string) =>
  status === "webhook"
    ? "by webhook"
    : minutes === null
      ? "no schedule"
      : `every ${span(minutes * MINUTE_MS)}`;
export const receivedText = (at: string | null, nowMs: number, timeZone: string) =>
  at === null ? "not known" : moment(Date.parse(at), nowMs, timeZone);
export function nextText(at: string | null, status: string, nowMs: number): string {
  if (status === "webhook") return "on event";
  if (at === null) return "not known";
  const aheadMs = Date.parse(at) - nowMs;
  return aheadMs <= 0 ? "due now" : `in ${duration(aheadMs)}`;
}
export const sampleNote = (shown: number, all: number) =>
  `${count(shown)} of ${count(all)}. Verdicts appear after the first full check.`;

/**
 * Why a check couldn't be made.
 * @param seconds until the next one is allowed; null: unknown
 */
export function notChecked(
  status: number,
  seconds: number | null,
  description: string | null,
): string {
  if (status === 429)
    return `You can run six checks a minute. Try again ${seconds === null ? "soon" : `in ${counted(seconds, "second")}`}.`;
  if (status === 403) return "You no longer have the right to check connections.";
  if (status === 0) return "The check broke off. Nothing was saved. Try again.";
  return description ?? "Plumbline couldn’t run the check. Try again.";
}

// Connecting.

export const connectButton = (name: string) => `Connect ${called(name)}`;
export const CONNECTING = "Connecting…";
export const CONNECT_ANYWAY = "Connect anyway";
export const CONNECT_NOTE =
  "Checks start at once. You can disconnect at any time; what we recorded stays until you delete it.";
export const ANYWAY_NOTE =
  "Saves the values above although the check failed. We keep trying, and show nothing of this company until a check succeeds.";

/** Why the connection wasn't saved. @param description the server's sentence; null: none */
export function notConnected(status: number, description: string | null): string {
  if (status === 409) return description ?? "That address is already in use. Choose another one.";
  if (status === 403) return "You no longer have the right to connect companies.";
  if (status === 0)
    return "Plumbline didn’t respond. Look under Connections to see whether it was saved.";
  return description ?? "Couldn’t save the connection. Try again.";
}
export const RECHECK_FAILED = "The check before saving failed, so nothing was saved.";

export const proofWords = {
  check: { act: "check a connection", untouched: "Nothing has been sent yet." },
  connect: { act: "connect a company", untouched: "Nothing has been saved yet." },
};

// First check.

export const firstCheck = {
  title: "First check",
  open: (name: string) => `Open ${called(name)}`,
  all: "All connections",
};

/** Progress of the first check after connecting. @param connection null: not in the list yet */
export function firstCheckText(
  connection: Pick<ConnectionView, "reason" | "queue" | "host" | "limited_until"> | null,
  when: { nowMs: number; timeZone: string },
): string {
  const queue = connection?.queue ?? null;
  if (connection !== null && queue !== null && queue.place > 1) {
    return `Waiting for its turn: number ${count(queue.place)} of ${count(queue.of)} for ${connection.host}. The first check starts when the request limit allows it.`;
  }
  const reason = connection?.reason ?? null;
  if (connection === null || reason === null || reason === "starting") {
    return "The first check is running. The page opens as soon as it’s done.";
  }
  const resetMs = connection.limited_until === null ? null : Date.parse(connection.limited_until);
  const why = sourceReasonSentence(reason, { resetMs, ...when });
  return isResting(reason) ? why : `The first check failed. ${why} We keep trying.`;
}
