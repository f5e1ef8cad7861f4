import type { AlarmLoadView, MyAlarmLoad } from "@/lib/contracts/alarm-load/alarm-load";
import type { Rehearsal } from "@/lib/contracts/delivery";
import { isFailure } from "@/lib/contracts/failure";
import { isQuieter, quieterThan, type Alerts, type Quieter } from "@/lib/domain/alarm-load/quieter";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { canSee, type Person } from "@/lib/server/auth/person";
import { answerLanes } from "@/lib/server/one-at-a-time";
import { rehearse, type RehearsalRuntime } from "@/lib/server/operations/rules/rehearse";
import { readOwnRule } from "@/lib/server/store/delivery/rules";
import {
  incidentKey,
  readIncidentEndpoints,
  readSentLoad,
} from "@/lib/server/store/delivery/sent-load";
import { MOST_ROWS } from "@/lib/server/store/most-rows";
import { noisiest, rateOf } from "./noisiest";

type Runtime = Omit<RehearsalRuntime, "config"> & {
  config: RehearsalRuntime["config"] & { retentionDays: number };
};

const DAYS = 30;
const MOST_RECIPIENTS = 100;
const inLane = answerLanes<MyAlarmLoad>("alarm load");

/**
 * How much was sent to the person in the past 30 days, the three noisiest endpoints, and what would have made it
 * quieter: `GET /api/me/alarm-load`. Every figure but what was sent is rehearsed by the code that sends.
 */
export function getMyAlarmLoad(
  runtime: Runtime,
  { person }: { person: Person },
): Promise<MyAlarmLoad> {
  const companies = runtime.connections.filter(({ company }) => canSee(person, company));
  const visible = companies.map(({ company }) => company);
  return inLane(runtime.database, "rehearsals", `${person.id} ${visible.join(" ")}`, async () => {
    const period = periodOf(runtime);
    const { days, sinceMs } = period;
    const { sent } = await readSentLoad(runtime.database, {
      sinceMs,
      personId: person.id,
      companies: visible,
      most: MOST_ROWS,
    });
    const noisy = noisiest(sent, days);
    const rule = await readOwnRule(runtime.database.orm, person.id);
    const view = {
      ...dated(period),
      ...rateOf(
        sent.reduce((sum, { messages }) => sum + messages, 0),
        days,
      ),
    };
    const silent = { now: null, suggestions: [] };
    const others = noisy.map((one) => ({ ...one, without: null }));
    if (rule?.own == null) return { ...view, noisiest: others, ...silent };
    const alerts: Alerts = { ...rule.rule, only_mine: rule.own.only_mine };
    const rehearsed = ({ only_mine: isMine, ...fields }: Alerts) =>
      rehearse(
        runtime,
        { rule: fields, onlyFor: isMine ? person.id : null, companies },
        undefined,
        Infinity,
      );
    const rate = (messages: number) => rateOf(messages, DAYS);
    try {
      const now = await rehearsed(alerts);
      const without = await withoutEndpoints(runtime, now);
      const suggestions: MyAlarmLoad["suggestions"] = [];
      for (const change of quieterThan(alerts, zoneOf(alerts, runtime))) {
        // One after the other: each reads the record of all companies.
        const { count } = await rehearsed({ ...alerts, ...change });
        if (isQuieter(now.count, count))
          suggestions.push({ change: jsonOf(change), ...rate(count) });
      }
      return {
        ...view,
        noisiest: noisy.map((one) => ({
          ...one,
          without: rate(without(one.company, one.endpoint_id)),
        })),
        now: rate(now.count),
        suggestions: suggestions.toSorted((a, b) => a.messages - b.messages),
      };
    } catch (error) {
      // More on record than a request may read.
      if (isFailure(error) && error.code === "invalid_request")
        return { ...view, noisiest: others, ...silent };
      throw error;
    }
  });
}

type Change = MyAlarmLoad["suggestions"][number]["change"];

const jsonOf = (change: Quieter): Change =>
  "quiet" in change ? { quiet: { ...change.quiet, days: [...change.quiet.days] } } : change;

/**
 * How much was sent to each person and channel in the past 30 days, and their noisiest endpoints:
 * `GET /api/rules/alarm-load`.
 */
export async function getAlarmLoad(
  runtime: Runtime,
  { person }: { person: Person },
): Promise<AlarmLoadView> {
  const period = periodOf(runtime);
  const companies = runtime.connections
    .map(({ company }) => company)
    .filter((company) => canSee(person, company));
  const { recipients, sent } = await readSentLoad(runtime.database, {
    sinceMs: period.sinceMs,
    personId: null,
    companies,
    most: MOST_ROWS,
  });
  const data = recipients.map(({ id, name, personId }) => {
    const own = sent.filter(({ recipient }) => recipient === id);
    const messages = own.reduce((sum, one) => sum + one.messages, 0);
    return {
      to: name,
      to_kind: personId === null ? ("channel" as const) : ("person" as const),
      ...rateOf(messages, period.days),
      noisiest: noisiest(own, period.days),
    };
  });
  return {
    ...dated(period),
    data: data.toSorted((a, b) => b.messages - a.messages).slice(0, MOST_RECIPIENTS),
  };
}

type Period = { sinceMs: number; untilMs: number; days: number };

/** Deliveries are kept as long as history. */
function periodOf({ clock, config }: Runtime): Period {
  const untilMs = clock.nowMs();
  const days = Math.min(DAYS, config.retentionDays);
  return { untilMs, sinceMs: untilMs - days * DAY_MS, days };
}

const dated = ({ sinceMs, untilMs }: Period) => ({ since: iso(sinceMs), until: iso(untilMs) });

const zoneOf = ({ brief }: Alerts, { config }: Runtime) =>
  brief?.time_zone ?? config.reportTimeZone;

/**
 * How many of the rehearsed messages remain without the incidents that have only one endpoint, which planned quiet
 * would have prevented.
 */
async function withoutEndpoints(
  { database }: Pick<Runtime, "database">,
  { count, messages }: Pick<Rehearsal, "count" | "messages">,
): Promise<(company: string, endpointId: string) => number> {
  const about = new Map<string, { company: string; id: number; messages: number }>();
  for (const { company, incident_id: id } of messages) {
    if (company === null || id === null) continue;
    const key = incidentKey(company, id);
    about.set(key, { company, id, messages: (about.get(key)?.messages ?? 0) + 1 });
  }
  const endpoints = await readIncidentEndpoints(database, [...about.values()]);
  return (company, endpointId) => {
    let prevented = 0;
    for (const [key, one] of about) {
      const own = endpoints.get(key);
      if (one.company === company && own?.size === 1 && own.has(endpointId))
        prevented += one.messages;
    }
    return count - prevented;
  };
}
