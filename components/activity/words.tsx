import type { ReactNode } from "react";
import type { ActivityEntry, ActivityView } from "@/lib/contracts/activity";
import { dayMonthYear, fullMoment } from "@/lib/domain/words/dates";
import { OUTCOME_LABEL } from "@/lib/domain/words/file-words";
import { count, counted } from "@/lib/domain/words/format";
import { capital } from "@/lib/domain/text/capital";
import type { ActivityState } from "./activity-url";

export const ACTIVITY = "Activity";

export function activityIntro(company: ReactNode): ReactNode {
  return <>What people did in {company}, newest first. Entries are never changed or removed.</>;
}

export const INSTALLATION_INTRO =
  "Sign-ins, and changes to people, connections, channels, rules and API tokens, newest first. Entries are never changed or removed.";

export const noAccess = {
  title: "You don’t have access to this page",
  sentence: "Only administrators can see the security log.",
};

export const DOWNLOAD_CSV = "Download CSV";

export const noActivity = {
  title: "No activity yet",
  sentence: "What people do here is listed: who, what, when and the outcome.",
  overview: (company: string) => `Overview of ${company}`,
  people: "People",
  installation: "When someone signs in, is invited or gets other access, it appears here.",
};

export const filterWords = {
  search: "Search activity",
  outcome: "Outcome",
  anyOutcome: "All",
  who: "Who",
  everyone: "Everyone",
  from: "From",
  until: "To",
};

/** Above the list, while some outcomes are unknown; `amount` at least 1. */
export const unknownOutcomes = {
  lead: (amount: number) =>
    `${amount === 1 ? "1 outcome is" : `${count(amount)} outcomes are`} unknown.`,
  rest: (amount: number) =>
    `The ${amount === 1 ? "request was" : "requests were"} sent but got no response. We’ll check again automatically; no need to repeat ${amount === 1 ? "it" : "them"}.`,
  show: (amount: number) => `Show ${amount === 1 ? "it" : "them"}`,
};

/** Of the list's filters, for a statement about it. @param person name of the chosen one; null: any */
export const chatFilters = (
  { q, outcome, from, until }: Pick<ActivityState, "q" | "outcome" | "from" | "until">,
  person: string | null,
  timeZone: string,
) =>
  [
    q === "" ? "" : `“${q}”`,
    outcome === null ? "" : OUTCOME_LABEL[outcome],
    person ?? "",
    from === null ? "" : `from ${dayMonthYear(from.getTime(), timeZone)}`,
    until === null ? "" : `to ${dayMonthYear(until.getTime() - 1, timeZone)}`,
  ].filter(Boolean);

/**
 * The list as one sentence: "212 actions, 1 outcome is unknown".
 * @param isNarrowed a filter is on, so the number of unknown outcomes isn't that of the list
 */
export function activitySentence(
  { meta, unknown_count: unknown }: Pick<ActivityView, "meta" | "unknown_count">,
  isNarrowed: boolean,
): string {
  const all = counted(meta.total_count, "action");
  if (isNarrowed || unknown === 0) return all;
  return `${all}, ${unknown === 1 ? "1 outcome is" : `${count(unknown)} outcomes are`} unknown`;
}

export const listHead = {
  label: "Actions, newest first",
  requested: (zone: string) => `Requested, ${zone}`,
  who: "Who",
  action: "Action",
  item: "Item",
  sent: "Sent",
  outcome: "Outcome",
  requestId: "Request ID",
};

/** The actor of automatic actions, and that of ones whose actor didn't prove who they are. */
const BY_PLUMBLINE = "Plumbline";
const BY_UNKNOWN = "Unknown";

/** Who did what no known person did. */
export function otherActor({ kind, action, subject }: ActivityEntry): string {
  if (kind === "token" && action === "use") return `Service token ${subject ?? ""}`.trimEnd();
  return kind === "session" && REFUSED.has(action) ? BY_UNKNOWN : BY_PLUMBLINE;
}

/** Labels of subjects other than files. */
const KIND_LABEL: Readonly<Record<Exclude<ActivityEntry["kind"], "file-deletion">, string>> = {
  display: "Display",
  "share-link": "Link",
  session: "Session",
  person: "Person",
  pause: "Paused",
  company: "Company",
  incident: "Incident",
  quiet: "Quiet time",
  channel: "Channel",
  rule: "Rule",
  allowance: "Allowance",
  promise: "Promise",
  "learned-week": "Learned week",
  integration: "Integration",
  token: "API token",
  connection: "Connection",
};

/** What customer success calls a company, which reads the log of one. */
const CUSTOMER = "Customer";

/** Actions on the incidents of a company, or on who looks after them, of which that is the subject. */
const OF_COMPANY: ReadonlySet<string> = new Set(["hand-over", "look-after"]);

/** The noun of an action's subject; empty for a file. */
export function kindText({ kind, action }: ActivityEntry): string {
  if (kind === "file-deletion") return "";
  if (kind !== "incident") return KIND_LABEL[kind];
  if (action === "take-back") return KIND_LABEL.person;
  return OF_COMPANY.has(action) ? CUSTOMER : KIND_LABEL.incident;
}

/** What a person reads, where it is another word than the log's own. */
const ACTIONS_OF: Partial<
  Readonly<Record<ActivityEntry["kind"], Readonly<Record<string, string>>>>
> = {
  "file-deletion": { delete: "Requested deletion" },
  display: {
    pair: "Paired",
    change: "Edited",
    reload: "Requested reload",
    revoke: "Unpaired",
  },
  "share-link": {
    make: "Created share link",
    extend: "Extended share link",
    revoke: "Revoked share link",
    "make-calendar": "Created calendar link",
    "revoke-calendar": "Revoked calendar link",
  },
  session: {
    "sign-in": "Signed in",
    "sign-out": "Signed out",
    reauthenticate: "Confirmed identity",
    end: "Tried an ended session",
    "end-sessions": "Ended sessions",
    refuse: "Tried to sign in or confirm identity",
    lock: "Tried to sign in",
  },
  person: {
    create: "Created",
    invite: "Invited",
    grant: "Changed access",
    rename: "Renamed",
    disable: "Disabled",
    enable: "Enabled",
    "password-link": "Created password link",
    "set-password": "Set password",
    "change-password": "Changed password",
    "second-factor-on": "Turned on two-step sign-in",
    "second-factor-off": "Turned off two-step sign-in",
    "renew-recovery-codes": "Created new recovery codes",
    "reset-second-factor": "Reset two-step sign-in",
    "link-slack": "Linked Slack account",
    "unlink-slack": "Unlinked Slack account",
    "end-sessions": "Ended sessions",
  },
  incident: {
    acknowledge: "Acknowledged",
    unacknowledge: "Unacknowledged",
    own: "Changed owner",
    note: "Added note",
    "hand-over": "Handed over",
    "take-back": "Took back",
    "look-after": "Changed customer’s owner",
  },
  quiet: { plan: "Planned quiet time", end: "Ended quiet time" },
  channel: { make: "Added", change: "Edited", remove: "Removed", test: "Sent test" },
  rule: { make: "Created", change: "Edited", remove: "Deleted" },
  allowance: { set: "Set allowance", remove: "Removed allowance" },
  promise: { make: "Created promise", change: "Edited promise", remove: "Deleted promise" },
  "learned-week": { on: "Switched on learned week", off: "Switched off learned week" },
  integration: { name: "Named integration", unname: "Removed integration name" },
  token: { make: "Created token", revoke: "Revoked token", use: "Used token from a new network" },
  pause: { restore: "Restored from backup", resume: "Resumed" },
  connection: {
    make: "Connected company",
    change: "Edited",
    pause: "Paused",
    resume: "Resumed",
    remove: "Disconnected company",
  },
  company: {
    forget: "Deleted history",
    rename: "Changed address",
    "remove-demo": "Removed the demo",
  },
};

const REFUSED: ReadonlyMap<string, string> = new Map([
  ["refuse", "Refused"],
  ["lock", "Locked out"],
  ["end", "Refused"],
]);
const TEST_TEXT: Readonly<Record<NonNullable<ActivityEntry["test"]>, string>> = {
  failed: "Failed",
  unknown: OUTCOME_LABEL.unknown,
};
const REASONS: ReadonlyMap<string, string> = new Map([
  ["looked", "Confirmed by checking again"],
  ["interrupted while it waited", "Interrupted while waiting"],
  ["an hour without progress", "No progress for an hour"],
]);

/** What was done: "Created share link", "Acknowledged"; an action without words of its own by its name. */
export function actionText({ action, kind }: ActivityEntry): string {
  const words = ACTIONS_OF[kind] ?? {};
  return Object.hasOwn(words, action)
    ? (words[action] ?? "")
    : capital(action.replaceAll("-", " "));
}

/**
 * "Deleted", "Undone by Ana Rask", "Waiting": the state of an action. Actions without an upstream
 * request complete at once.
 */
export function outcomeText(entry: ActivityEntry): string {
  const { kind, outcome, because, outcome_by: by, sent_at: sentAt, test } = entry;
  if (test !== undefined) return TEST_TEXT[test];
  if (kind === "session") return REFUSED.get(entry.action) ?? "Done";
  if (kind !== "file-deletion") return "Done";
  if (outcome === null) return sentAt === null ? "Waiting" : "Sent, no response yet";
  if (outcome !== "undone") return OUTCOME_LABEL[outcome];
  const word = because === "stopped" ? "Stopped" : OUTCOME_LABEL.undone;
  return by === null ? word : `${word} by ${by.name}`;
}

/** The outcome whose mark an entry has; actions without an upstream request are done, refused or failed. */
export function shownOutcome({
  kind,
  action,
  outcome,
  test,
}: ActivityEntry): ActivityEntry["outcome"] {
  if (test !== undefined) return test === "failed" ? "forbidden" : "unknown";
  if (kind === "file-deletion") return outcome;
  return kind === "session" && REFUSED.has(action) ? "forbidden" : "deleted";
}

/**
 * A remark about the outcome; empty when there is none.
 * @param known.nextLook clock time of the next check of an unknown outcome; null when none is
 *   planned
 * @param known.seenLater what a later check found that contradicts the outcome, as text; null:
 *   nothing
 * @param known.timeZone of times in the remark, which the log has as instants
 */
export function outcomeNote(
  { outcome, because }: ActivityEntry,
  {
    nextLook,
    seenLater,
    timeZone,
  }: { nextLook: string | null; seenLater: string | null; timeZone: string },
): string {
  if (outcome === "unknown") {
    const when = nextLook === null ? "" : ` at ${nextLook}`;
    return `Sent, but got no response. We’ll check again${when}.`;
  }
  const reason =
    because === null || outcome === "undone"
      ? ""
      : (REASONS.get(because) ?? capital(timed(because, timeZone)));
  const parts = [reason, seenLater ?? ""].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${capital(parts.join(", "))}.`;
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A text of the log with its instants as times of a zone. */
const timed = (text: string, timeZone: string) =>
  text.replaceAll(INSTANT, (instant) => fullMoment(Date.parse(instant), timeZone));

export const pastTheEnd = {
  title: "No more pages",
  sentence: "This page is past the end of the list.",
};

export const noMatches = {
  sentence: "No activity matches these filters.",
};

export const SHOW_ALL = "Show all activity";

export const pageWords = {
  label: "Pages of activity",
  back: "Newer",
  on: "Older",
  place: (page: number, pages: number, total: number) =>
    total === 0
      ? "No actions"
      : page > pages
        ? `${counted(pages, "page")}, ${counted(total, "action")}`
        : `Page ${count(page)} of ${count(pages)}, ${counted(total, "action")}`,
};
