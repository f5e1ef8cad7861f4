import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Failure } from "@/lib/contracts/failure";
import { icalendar } from "@/lib/domain/calendars/icalendar";
import {
  plannedEvents,
  type PlannedTime,
  type PromiseVersion,
} from "@/lib/domain/calendars/planned-events";
import type { Deadline } from "@/lib/domain/deadlines/deadline";
import type { Period } from "@/lib/domain/history";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { dayMonthYear } from "@/lib/domain/words/dates";
import type { Auth } from "@/lib/server/auth/auth";
import type { Clock } from "@/lib/server/clock";
import type { HandlerResponse, PlainResponse } from "@/lib/server/http/handler-response";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { NOT_FOUND_PAGE } from "@/lib/server/http/pages.mjs";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import { inSlices } from "@/lib/server/slices";
import { sharedState } from "@/lib/server/shared-state";
import type { Database } from "@/lib/server/store/database";
import {
  deadlineOf,
  readDeadlines,
  readRulesSince,
  type RuleVersion,
} from "@/lib/server/store/deadlines/read-deadlines";
import { plannedQuietOf, readExpectationsWithin } from "@/lib/server/store/quiet/planned-quiet";
import type { RequestLimits } from "@/lib/server/request-limits";
import { calendarDescription, calendarName, TOO_MANY_TRIED, UNAVAILABLE } from "./words";

type Runtime = {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "calendars">;
  requestLimits: Pick<RequestLimits, "take">;
  readonly connections: readonly { company: string; name: string }[];
};

/** Range of the events. */
const BEFORE_MS = 31 * DAY_MS;
const AHEAD_MS = 92 * DAY_MS;
const MAX_EVENTS = 5_000;
/** Calendar programs read every hour or so. */
const PER_MINUTE = 30;
/** How long a calendar is kept before what it is made from is read again, ... */
const KEPT_MS = MINUTE_MS;
/** ... and before its text is made again although that is unchanged, because its range moves with time. */
const KEPT_UNCHANGED_MS = 10 * MINUTE_MS;
const MAX_KEPT = 100;
const RETRY_SECONDS = 5;

/**
 * Answers `GET /calendar/[name]`, whose name is a token and `.ics`: the company's quiet times and promises, without
 * reasons, notes and people. Missing, revoked and ended ones are answered like any missing address.
 * @param given.address the client's true address
 * @throws Failure `too_many_requests`, `unavailable`; database errors
 */
export async function getCalendar(
  runtime: Runtime,
  { name, address, request }: { name: string; address: string; request: HttpRequest },
): Promise<HandlerResponse> {
  const [, token] = /^([\w-]{1,100})\.ics$/.exec(name) ?? [];
  if (token === undefined) return NOT_FOUND_PAGE;
  const identity = await runtime.auth.calendars.identify(token, address);
  if (identity.state === "limited") {
    const { retryAfterSeconds } = identity;
    throw new Failure("too_many_requests", TOO_MANY_TRIED, { retryAfterSeconds });
  }
  if (identity.state === "unavailable")
    throw new Failure("unavailable", UNAVAILABLE, { retryAfterSeconds: RETRY_SECONDS });
  if (identity.state === "unknown") return NOT_FOUND_PAGE;
  const { id, company } = identity;
  const companyName = connectedName(runtime.connections, company);
  if (companyName === null) return NOT_FOUND_PAGE;
  const asked = { signal: request.signal, perMinute: PER_MINUTE };
  const done = await runtime.requestLimits.take(`calendar ${id} ${address}`, asked);
  try {
    const answer = answerOf(company, await keptText(runtime, company, companyName));
    done(200);
    return answer;
  } catch (error) {
    done(500);
    throw error;
  }
}

const answerOf = (company: string, body: string): PlainResponse => ({
  status: 200,
  headers: {
    "content-type": "text/calendar; charset=utf-8",
    "content-disposition": `inline; filename="${company}.ics"`,
    "x-robots-tag": "noindex, nofollow",
  },
  body,
});

/** `planned`: digest of what the text was made from. */
type Made = { madeMs: number; planned: string; text: string };
type Kept = { readMs: number; name: string; made: Promise<Made> };

async function keptText(runtime: Runtime, company: string, name: string): Promise<string> {
  const kept = sharedState(
    runtime.database,
    "calendars",
    () => new LRUCache<string, Kept>({ max: MAX_KEPT }),
  );
  const nowMs = runtime.clock.nowMs();
  const last = kept.get(company);
  const before = last?.name === name ? last : null;
  if (before !== null && isWithin(nowMs, before.readMs, KEPT_MS)) return (await before.made).text;
  const made = makeAgain(runtime, { company, name, nowMs }, before?.made ?? null);
  const own = { readMs: nowMs, name, made };
  kept.set(company, own);
  made.catch(() => {
    if (kept.peek(company) === own) kept.delete(company);
  });
  return (await made).text;
}

const isWithin = (nowMs: number, sinceMs: number, lengthMs: number) =>
  sinceMs <= nowMs && nowMs < sinceMs + lengthMs;

/** @param before the text made before; null: none, or of another name */
async function makeAgain(
  runtime: Runtime,
  { company, name, nowMs }: { company: string; name: string; nowMs: number },
  before: Promise<Made> | null,
): Promise<Made> {
  const within = { fromMs: nowMs - BEFORE_MS, untilMs: nowMs + AHEAD_MS };
  const planned = await readPlanned(runtime, company, within);
  const key = createHash("sha256").update(JSON.stringify(planned)).digest("base64");
  const last = await before;
  if (last !== null && last.planned === key && isWithin(nowMs, last.madeMs, KEPT_UNCHANGED_MS))
    return last;
  const events = await inSlices(plannedEvents(planned, within, MAX_EVENTS));
  const cutMs = events[MAX_EVENTS]?.startMs;
  const until = cutMs === undefined ? null : dayMonthYear(cutMs, "UTC");
  const about = { name: calendarName(name), description: calendarDescription(name, until) };
  const text = await inSlices(icalendar(events.slice(0, MAX_EVENTS), about));
  return { madeMs: nowMs, planned: key, text };
}

async function readPlanned(
  { database }: Pick<Runtime, "database">,
  company: string,
  within: Period,
): Promise<PlannedTime[]> {
  const [quiet, promises, rules] = await Promise.all([
    readExpectationsWithin(database, company, within),
    readDeadlines(database, company),
    readRulesSince(database, company, within.fromMs),
  ]);
  return [
    ...quiet.map((row) => ({
      ...aboutOf(row),
      kind: "quiet" as const,
      changedMs: (row.endedAt ?? row.madeAt).getTime(),
      quiet: plannedQuietOf(row),
    })),
    ...promises.map((row) => ({
      ...aboutOf(row),
      kind: "promise" as const,
      versions: versionsOf(deadlineOf(row), rules.get(row.id) ?? []),
    })),
  ];
}

/** @param rules oldest first; empty: it was made meanwhile */
function versionsOf(deadline: Deadline, rules: readonly RuleVersion[]): PromiseVersion[] {
  const { madeMs, endedMs } = deadline;
  if (rules.length === 0) return [{ deadline, changedMs: madeMs }];
  return rules.map(({ rule, sinceMs, untilMs }, index) => ({
    deadline: {
      ...deadline,
      ...rule,
      madeMs: index === 0 ? madeMs : sinceMs,
      endedMs: untilMs ?? endedMs,
    },
    changedMs: sinceMs,
  }));
}

const aboutOf = (row: { id: string; partnerName: string | null; endpointKey: string | null }) => ({
  id: row.id,
  partner: row.partnerName,
  endpointKey: row.endpointKey,
});
