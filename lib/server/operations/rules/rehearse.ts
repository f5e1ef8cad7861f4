import { RehearsalRequest, type Rehearsal } from "@/lib/contracts/delivery";
import type { CompanyName } from "@/lib/domain/companies/company-name";
import { Failure } from "@/lib/contracts/failure";
import { DELAYED_POLLS } from "@/lib/domain/confidence";
import { briefTimesBetween } from "@/lib/domain/delivery/brief-times";
import { mostReminders } from "@/lib/domain/delivery/most-reminders";
import { repeatedOf } from "@/lib/domain/delivery/plan";
import { covers, isAmong, type Rule } from "@/lib/domain/delivery/rule";
import { neverSeen, type Blindness } from "@/lib/domain/delivery/blindness";
import { isBlindNow } from "@/lib/domain/delivery/visibility";
import { type PlannedRule } from "@/lib/domain/delivery/rule";
import type { RecordedFleet } from "@/lib/domain/delivery/plan-fleet";
import { periodAt } from "@/lib/domain/history";
import { carePeriods } from "@/lib/domain/incidents/mine";
import { iso } from "@/lib/domain/time/instant";
import type { Clock } from "@/lib/server/clock";
import { planCauses, waitsOf } from "@/lib/server/delivery/plan-causes";
import { spreadOf } from "@/lib/server/delivery/look";
import { readPlannedCompany, type PlannedCompany } from "@/lib/server/delivery/message-context";
import { writeBrief } from "@/lib/server/delivery/plan-briefs";
import {
  planMessages,
  planPromiseMessages,
  written,
  type Draft,
} from "@/lib/server/delivery/plan-messages";
import { hostOf } from "@/lib/server/upstream/host-of";
import { notValid } from "@/lib/server/http/query";
import {
  idMember,
  nameOf,
  type NamedConnection,
} from "@/lib/server/operations/connections/external-id";
import type { Database } from "@/lib/server/store/database";
import type { DeliveryFacts } from "@/lib/server/store/delivery/delivery-facts";
import { readRecordedFleets } from "@/lib/server/store/delivery/group-facts";
import { boundRows, rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { toStorable } from "@/lib/server/store/storable";
import { checkTimeZones } from "./rules";
import { NOT_A_RULE, tooManyReminders } from "./words";
import { DAY_MS } from "@/lib/domain/time/units";

export type RehearsalRuntime = {
  database: Database;
  clock: Clock;
  appUrl: string;
  config: { pollSeconds: number; reportTimeZone: string; messageWaitMs: number };
  readonly connections: readonly (NamedConnection & { baseUrl?: string })[];
};

const DAYS = 30;
const MAX_LISTED = 200;
/** Each is planned, in one go for all of them. */
const MAX_REMINDERS = 20_000;
/** Per rule; a longer list isn't useful. */
const MAX_BRIEFS = 60;

/**
 * Messages that a rule would have sent to a channel in the past 30 days:
 * `POST /api/rules/rehearsal`.
 * @throws Failure `invalid_request`
 */
export async function rehearseRule(
  runtime: RehearsalRuntime,
  { body }: { body: unknown },
): Promise<Rehearsal> {
  const rule = ruleToRehearse(body);
  return rehearse(runtime, { rule, onlyFor: null, companies: runtime.connections });
}

/**
 * The rule that a request asks to rehearse.
 * @throws Failure `invalid_request`
 */
export function ruleToRehearse(body: unknown): Rule {
  const result = RehearsalRequest.safeParse(body);
  if (!result.success) throw notValid(result.error, NOT_A_RULE);
  const { name: _, channels: __, ...rule } = toStorable(result.data);
  return rule;
}

/**
 * Messages that one destination would have received in the past 30 days, had the rule existed then, computed by the
 * code that sends. Based on the record, so unobserved companies have none.
 * @param given.companies companies that the destination may receive messages about
 * @throws Failure `invalid_request` for an unknown time zone, or when the companies have more on record than a request
 * may read
 */
export async function rehearse(
  runtime: RehearsalRuntime,
  given: { rule: Rule; onlyFor: string | null; companies: RehearsalRuntime["connections"] },
  budget = rowBudget(),
): Promise<Rehearsal> {
  const { rule, onlyFor } = given;
  const { database, appUrl, config } = runtime;
  checkTimeZones(rule);
  const past = await readPast(runtime, given, budget);
  const { sent, briefs, planned } = planPast(runtime, past, { rule, onlyFor });
  const { fromMs, untilMs, covered } = past;
  const timeZone = config.reportTimeZone;
  const { database: counted } = boundRows({ database }, budget);
  const count = sent.length + briefs.length;
  const messages = sent
    .toSorted((a, b) => a.dueMs - b.dueMs)
    .slice(-MAX_LISTED)
    .map((draft) => written(draft, null))
    .map(({ type, key, message, dueMs, company, incidentId }) => ({
      type,
      ...(repeatedOf(key) === "reminder" && { is_reminder: true as const }),
      at: iso(dueMs),
      company,
      ...(company !== null && idMember(runtime.connections, company)),
      partner_name: message.incident?.partner_name ?? message.partner_name ?? null,
      incident_id: incidentId,
      text: message.text,
    }))
    .concat(
      await Promise.all(
        briefs.map(async (briefMs, index) => {
          const sinceMs = briefs[index - 1] ?? briefMs - DAY_MS;
          const { message } = await writeBrief(
            { database: counted, appUrl },
            {
              id: "",
              rule: planned,
              to: { name: "", isOwn: onlyFor !== null },
              timeZone,
              writtenMs: briefMs,
              companies: covered,
              fromMs: sinceMs,
              untilMs: briefMs,
            },
          );
          const { type, text } = message;
          return {
            type,
            at: iso(briefMs),
            company: null,
            partner_name: null,
            incident_id: null,
            text,
          };
        }),
      ),
    )
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
    .slice(0, MAX_LISTED);
  const isOwn = ({ context: { record } }: PlannedCompany) =>
    periodAt(carePeriods(record.care, onlyFor ?? ""), untilMs + record.offsetMs) !== null;
  const own = onlyFor === null ? null : [...past.companies.values()].filter(isOwn).length;
  return { since: iso(fromMs), until: iso(untilMs), count, own_companies: own, messages };
}

/** What rehearsals of rules for the same companies are planned from. Instants are epoch milliseconds on our clock. */
export type Past = {
  fromMs: number;
  untilMs: number;
  /** Companies that the rules cover. */
  covered: readonly CompanyName[];
  companies: ReadonlyMap<string, PlannedCompany>;
  fleets: readonly RecordedFleet[];
};

/**
 * Reads what rehearsals are planned from.
 * @param given.rule any of the rules: they cover the same companies
 * @param given.companies see `rehearse`
 * @throws Failure `invalid_request` when they have more on record than is left in the budget
 */
export async function readPast(
  { database, clock, appUrl, config }: RehearsalRuntime,
  given: { rule: Pick<Rule, "companies" | "promises">; companies: RehearsalRuntime["connections"] },
  budget: RowBudget,
): Promise<Past> {
  const untilMs = clock.nowMs();
  const fromMs = untilMs - DAYS * DAY_MS;
  const covered = given.companies
    .filter(({ company }) => isAmong(company, given.rule.companies))
    .map(({ baseUrl, ...connection }) => ({
      ...nameOf(connection),
      host: baseUrl === undefined ? null : hostOf(baseUrl),
    }));
  const companies = new Map<string, PlannedCompany>();
  for (const { host, ...company } of covered) {
    const timeZone = config.reportTimeZone;
    const about = { company, appUrl, timeZone, because: null, sinceMs: fromMs };
    const past = {
      host,
      reason: null,
      rhythmMs: config.pollSeconds * 1_000,
      live: null,
      isPromised: given.rule.promises !== "none",
    };
    companies.set(company.slug, await readPlannedCompany(database.orm, about, past, budget));
  }
  const fleets = await readRecordedFleets(database.orm, fromMs, budget);
  return { fromMs, untilMs, covered, companies, fleets };
}

/**
 * What a rule would have sent to one destination, not written yet, and when its briefs would have been due.
 * @param given.onlyFor see `PlannedRule`
 * @returns `planned`: the rule, as of the start of the rehearsal
 * @throws Failure `invalid_request` when it would have sent too many reminders
 */
export function planPast(
  { config }: Pick<RehearsalRuntime, "config">,
  { fromMs, untilMs, companies, fleets }: Past,
  { rule, onlyFor }: { rule: Rule; onlyFor: string | null },
): { sent: Draft[]; briefs: number[]; planned: PlannedRule } {
  const planned: PlannedRule = { ...rule, name: "", sinceMs: fromMs, onlyFor };
  if (remindersOf(planned, { fromMs, untilMs, companies }) > MAX_REMINDERS)
    throw new Failure("invalid_request", tooManyReminders(MAX_REMINDERS));
  const destination = {
    destination: "rehearsal",
    to: onlyFor === null ? "channel" : "inbox",
    channelId: null,
    personId: null,
    toName: "",
    rules: [planned],
    timeZone: config.reportTimeZone,
    follows: "worse",
    followsFromMs: fromMs,
  } as const;
  const blindnesses = (slug: string) => {
    const record = companies.get(slug)?.context.record;
    const past = { pollSeconds: config.pollSeconds, nowMs: untilMs };
    return record === undefined ? [] : pastBlindnesses(record, past);
  };
  const common = { waitMs: config.messageWaitMs, nowMs: untilMs };
  const late = [...companies.values()].flatMap(({ context, shiftMs }) =>
    context.record.incidents.map(({ row: { id, partnerName: partner, openedAt } }) => ({
      company: context.company.slug,
      id,
      partner,
      openedMs: openedAt.getTime() - shiftMs,
    })),
  );
  const spreadMs = spreadOf([config.pollSeconds]);
  const causes = planCauses(destination, companies, {
    ...common,
    fleets,
    settled: [],
    unread: [],
    waits: waitsOf({ ...destination, mayReceive: () => true }, late, { ...common, spreadMs }),
    blindnesses,
    written: new Map(),
  });
  const sent = [...companies]
    .flatMap(([slug, { context }]) => {
      const { observedMs, offsetMs } = context.record;
      const seen = { ageMs: null, rhythmSeconds: config.pollSeconds, offsetMs };
      const isBlind = isBlindNow(seen, observedMs ?? -Infinity, untilMs);
      return [
        ...planMessages(destination, context, {
          ...common,
          ...causes.of(slug),
          blindnesses: blindnesses(slug),
        }).drafts,
        ...planPromiseMessages(destination, context, { ...common, isBlind, written: null }).drafts,
      ];
    })
    .concat(causes.drafts)
    .filter(({ includedIn, dueMs }) => includedIn === null && dueMs >= fromMs);
  const briefs =
    rule.brief === null
      ? []
      : briefTimesBetween(rule.brief, { fromMs, untilMs }).slice(-MAX_BRIEFS);
  return { sent, briefs, planned };
}

/** At most how many reminders a rule would have sent. */
function remindersOf(
  rule: PlannedRule,
  { companies, ...within }: Pick<Past, "fromMs" | "untilMs" | "companies">,
): number {
  let most = 0;
  for (const [slug, { context }] of companies)
    for (const { timeline } of context.record.incidents)
      if (covers(rule, slug, timeline.partner)) most += mostReminders(timeline, rule, within);
  return most;
}

/**
 * Past gaps long enough to be reported, while a collector could have reported them; there was none
 * before the first check. That a paused connection isn't seen is no news.
 */
function pastBlindnesses(
  { gaps, triedFromMs, firstObservedMs: firstSeenMs }: DeliveryFacts,
  { pollSeconds, nowMs }: { pollSeconds: number; nowMs: number },
): Blindness[] {
  const reportedAfterMs = DELAYED_POLLS * pollSeconds * 1_000;
  const never = neverSeen({ triedFromMs, firstSeenMs, blindAfterMs: reportedAfterMs, nowMs });
  const past = gaps.flatMap(({ fromMs, untilMs, reason }) =>
    reason === "stopped" || reason === "disconnected" || untilMs - fromMs <= reportedAfterMs
      ? []
      : [{ fromMs, reportedFromMs: fromMs + reportedAfterMs, untilMs, wasReported: false }],
  );
  return never === null ? past : [never, ...past];
}
