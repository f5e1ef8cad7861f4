import { isDeepStrictEqual } from "node:util";
import { RuleRequest, type RuleView } from "@/lib/contracts/delivery";
import { Failure } from "@/lib/contracts/failure";
import type { Rule } from "@/lib/domain/delivery/rule";
import type { Weekday } from "@/lib/domain/time/weekdays";
import { presentZoneName } from "@/lib/domain/time/present-zone";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { invalid, isUuid, notValid } from "@/lib/server/http/query";
import { isTimeZone } from "@/lib/server/operations/displays/display-view";
import { requireConnected } from "@/lib/server/operations/connections/require-connected";
import type { Database } from "@/lib/server/store/database";
import {
  changeRule as change,
  insertRule,
  readPlannedChannels,
  readRules,
  removeRule as remove,
  type RuleRow,
} from "@/lib/server/store/delivery/rules";
import { toStorable } from "@/lib/server/store/storable";
import { NO_RULE, NOT_A_RULE, TOO_MANY_RULES } from "./words";

type RulesRuntime = {
  database: Database;
  clock: Clock;
  readonly connections: readonly { company: string }[];
};

/** Every check evaluates each rule. */
const MAX_RULES = 200;

/** All notification rules, oldest first: `GET /api/rules`. */
export async function listRules({ database }: RulesRuntime): Promise<{ data: RuleView[] }> {
  return { data: (await readRules(database.orm)).map(ruleView) };
}

/**
 * Creates a rule: `POST /api/rules`. Incidents that are already open are sent in one summary.
 * @throws Failure `invalid_request`; `conflict` when there are too many
 */
export async function makeRule(
  runtime: RulesRuntime,
  given: { person: Person; body: unknown },
): Promise<RuleView> {
  const row = await insert(runtime, null, given);
  if (row === null) throw new Error("a rule has another one's id");
  return ruleView(row);
}

/**
 * Creates a rule under an id that the client chose: `PUT /api/rules/[id]`. If there is one, changes it as `changeRule`
 * does, unless it is the same: a request whose response was lost can be repeated.
 * @throws Failure `invalid_request`; `not_found` if the id isn't a UUID; `conflict` when there are too many
 */
export async function putRule(
  runtime: RulesRuntime,
  { person, id, body }: { person: Person; id: string; body: unknown },
): Promise<RuleView> {
  if (!isUuid(id)) throw new Failure("not_found", NO_RULE);
  const find = async () => (await listRules(runtime)).data.find((rule) => rule.id === id);
  const known = await find();
  const row = await insert(runtime, id, { person, body }, known);
  if (row !== null) return ruleView(row);
  const before = known ?? (await find());
  const isSame =
    before !== undefined &&
    isDeepStrictEqual({ ...before, ...(await parsed(runtime, body, before)) }, before);
  return isSame ? before : changeRule(runtime, { person, id, body });
}

/**
 * @param known the rule with this id
 * @returns null: there is already a rule with this id
 */
async function insert(
  runtime: RulesRuntime,
  id: string | null,
  { person, body }: { person: Person; body: unknown },
  known?: RuleView,
): Promise<RuleRow | null> {
  const { name, channels, ...rule } = await parsed(runtime, body, known);
  const row = await insertRule(
    runtime.database,
    id,
    { name, rule, channelIds: channels },
    { ...changeBy(runtime, person), most: MAX_RULES },
  );
  if (row === null) throw new Failure("conflict", TOO_MANY_RULES);
  return row === "known" ? null : row;
}

/**
 * Changes a rule: `PATCH /api/rules/[id]`; omitted properties are unchanged.
 * @throws Failure `invalid_request`; `not_found`
 */
export async function changeRule(
  runtime: RulesRuntime,
  { person, id, body }: { person: Person; id: string; body: unknown },
): Promise<RuleView> {
  const before = isUuid(id)
    ? (await readRules(runtime.database.orm)).find((row) => row.id === id)
    : undefined;
  if (before === undefined) throw new Failure("not_found", NO_RULE);
  const whole = { ...before.rule, name: before.name, channels: before.channelIds };
  const given = typeof body === "object" && body !== null && !Array.isArray(body) ? body : null;
  const { name, channels, ...rule } = await parsed(
    runtime,
    given === null ? body : { ...whole, ...given },
    before.rule,
  );
  const row = await change(
    runtime.database,
    id,
    () => ({ name, rule, channelIds: channels }),
    changeBy(runtime, person),
  );
  if (row === null) throw new Failure("not_found", NO_RULE);
  return ruleView(row);
}

/**
 * Removes a rule: `DELETE /api/rules/[id]`. Endings of incidents that it announced are still sent.
 * @throws Failure `not_found`
 */
export async function removeRule(
  runtime: RulesRuntime,
  { person, id }: { person: Person; id: string },
): Promise<Response> {
  const isRemoved = isUuid(id) && (await remove(runtime.database, id, changeBy(runtime, person)));
  if (!isRemoved) throw new Failure("not_found", NO_RULE);
  return new Response(null, { status: 204 });
}

/** @throws Failure `invalid_request` for an unknown time zone */
export function checkTimeZones({ quiet, brief }: Pick<Rule, "quiet" | "brief">): void {
  for (const [name, times] of [
    ["quiet.time_zone", quiet],
    ["brief.time_zone", brief],
  ] as const) {
    if (times !== null && !isTimeZone(times.time_zone))
      throw invalid(name, "must be a time zone such as Europe/Berlin");
  }
}

/** @param before the rule that is changed; omitted: a new one */
async function parsed(
  { database, connections }: RulesRuntime,
  body: unknown,
  before?: Pick<Rule, "companies">,
) {
  const result = RuleRequest.safeParse(body);
  if (!result.success) throw notValid(result.error, NOT_A_RULE);
  checkTimeZones(result.data);
  const { companies } = result.data;
  const earlier = before?.companies ?? "all";
  if (companies !== "all")
    requireConnected(connections, companies, earlier === "all" ? [] : earlier);
  const known = await readPlannedChannels(database.orm);
  if (!result.data.channels.every((id) => known.has(id)))
    throw invalid("channels", "must be channels that there are");
  return toStorable(result.data);
}

function changeBy({ clock }: RulesRuntime, { id, name, email }: Person) {
  return { person: { id, name, email }, nowMs: clock.nowMs() };
}

/** Quiet hours, or times of a brief, as JSON. */
export function timesView<Times extends { days: readonly Weekday[]; time_zone: string }>(
  times: Times,
) {
  return { ...times, days: [...times.days], time_zone: presentZoneName(times.time_zone) };
}

function ruleView({ id, name, rule, channelIds, createdAt }: RuleRow): RuleView {
  return {
    id,
    name,
    ...rule,
    companies: rule.companies === "all" ? "all" : [...rule.companies],
    partners: rule.partners === "all" ? "all" : [...rule.partners],
    quiet: rule.quiet === null ? null : timesView(rule.quiet),
    brief: rule.brief === null ? null : timesView(rule.brief),
    channels: channelIds,
    created_at: createdAt.toISOString(),
  };
}
