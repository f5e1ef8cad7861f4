import type { AlarmLoadView, MyAlarmLoad } from "@/lib/contracts/alarm-load/alarm-load";
import { isFailure } from "@/lib/contracts/failure";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { canSee, type Person } from "@/lib/server/auth/person";
import { answerLanes } from "@/lib/server/one-at-a-time";
import type { RehearsalRuntime } from "@/lib/server/operations/rules/rehearse";
import { readOwnRule } from "@/lib/server/store/delivery/rules";
import {
  incidentKey,
  readIncidentEndpoints,
  readSentLoad,
} from "@/lib/server/store/delivery/sent-load";
import { MAX_ROWS } from "@/lib/server/store/most-rows";
import { noisiest, rateOf } from "./noisiest";
import { rehearseQuieter, type Rehearsed } from "./rehearse-quieter";

type Runtime = Omit<RehearsalRuntime, "config"> & {
  config: RehearsalRuntime["config"] & { retentionDays: number };
};

const DAYS = 30;
const MAX_RECIPIENTS = 100;
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
      most: MAX_ROWS,
    });
    const noisy = noisiest(sent, days, runtime);
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
    try {
      const { now, suggestions } = await rehearseQuieter(runtime, {
        alerts: { ...rule.rule, only_mine: rule.own.only_mine },
        personId: person.id,
        companies,
      });
      const without = await withoutEndpoints(runtime, now);
      return {
        ...view,
        noisiest: noisy.map((one) => ({
          ...one,
          without: rateOf(without(one.company, one.endpoint_id), DAYS),
        })),
        now: rateOf(now.count, DAYS),
        suggestions,
      };
    } catch (error) {
      // More on record than a request may read.
      if (isFailure(error) && error.code === "invalid_request")
        return { ...view, noisiest: others, ...silent };
      throw error;
    }
  });
}

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
    most: MAX_ROWS,
  });
  const data = recipients.map(({ id, name, personId }) => {
    const own = sent.filter(({ recipient }) => recipient === id);
    const messages = own.reduce((sum, one) => sum + one.messages, 0);
    return {
      to: name,
      to_kind: personId === null ? ("channel" as const) : ("person" as const),
      ...rateOf(messages, period.days),
      noisiest: noisiest(own, period.days, runtime),
    };
  });
  return {
    ...dated(period),
    data: data.toSorted((a, b) => b.messages - a.messages).slice(0, MAX_RECIPIENTS),
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

/**
 * How many of the rehearsed messages remain without the incidents that have only one endpoint, which planned quiet
 * would have prevented.
 */
async function withoutEndpoints(
  { database }: Pick<Runtime, "database">,
  { count, about: messages }: Rehearsed,
): Promise<(company: string, endpointId: string) => number> {
  const about = new Map<string, { company: string; id: number; messages: number }>();
  for (const { company, incidentId: id } of messages) {
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
