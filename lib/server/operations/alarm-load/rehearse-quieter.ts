import type { MyAlarmLoad, Suggestions } from "@/lib/contracts/alarm-load/alarm-load";
import { isQuieter, quieterThan, type Alerts, type Quieter } from "@/lib/domain/alarm-load/quieter";
import { answerLanes } from "@/lib/server/one-at-a-time";
import {
  planPast,
  readPast,
  ruleToRehearse,
  type RehearsalRuntime,
} from "@/lib/server/operations/rules/rehearse";
import { checkTimeZones } from "@/lib/server/operations/rules/rules";
import { rowBudget } from "@/lib/server/store/most-rows";
import { rateOf } from "./noisiest";

/** Length of a rehearsal. */
const DAYS = 30;
/** Each reads the record of all companies, so they run one after the other. */
const inLane = answerLanes<Suggestions>("quieter rules");

/** Messages of a rehearsal: `about` has what each but the briefs is about. */
export type Rehearsed = {
  count: number;
  about: readonly { company: string | null; incidentId: number | null }[];
};

/**
 * What alerts would have sent in the past 30 days as they are, and with each change that makes them quieter by enough.
 * The record is read once, and no message is written.
 * @param given.personId whose alerts they are; null: a rule's
 * @param given.companies that messages may be about
 * @throws Failure as `rehearse`
 */
export async function rehearseQuieter(
  runtime: RehearsalRuntime,
  {
    alerts,
    personId,
    companies,
  }: { alerts: Alerts; personId: string | null; companies: RehearsalRuntime["connections"] },
  budget = rowBudget(),
): Promise<{ now: Rehearsed; suggestions: MyAlarmLoad["suggestions"] }> {
  checkTimeZones(alerts);
  const past = await readPast(runtime, { rule: alerts, companies }, budget);
  const rehearsed = ({ only_mine: isMine, ...rule }: Alerts): Rehearsed => {
    const { sent, briefs } = planPast(runtime, past, { rule, onlyFor: isMine ? personId : null });
    return { count: sent.length + briefs.length, about: sent };
  };
  const timeZone = alerts.brief?.time_zone ?? runtime.config.reportTimeZone;
  const now = rehearsed(alerts);
  const suggestions: MyAlarmLoad["suggestions"] = [];
  for (const change of quieterThan(alerts, timeZone)) {
    // Other requests have their turn after each.
    await new Promise(setImmediate);
    const { count } = rehearsed({ ...alerts, ...change });
    if (isQuieter(now.count, count))
      suggestions.push({ change: jsonOf(change), ...rateOf(count, DAYS) });
  }
  return { now, suggestions: suggestions.toSorted((a, b) => a.messages - b.messages) };
}

const jsonOf = (change: Quieter): MyAlarmLoad["suggestions"][number]["change"] =>
  "quiet" in change ? { quiet: { ...change.quiet, days: [...change.quiet.days] } } : change;

/**
 * Changes of a rule that would have made it quieter: `POST /api/rules/rehearsal/quieter`.
 * @throws Failure `invalid_request`
 */
export async function quieterRule(
  runtime: RehearsalRuntime,
  { body }: { body: unknown },
): Promise<Suggestions> {
  const rule = ruleToRehearse(body);
  return inLane(runtime.database, "rules", JSON.stringify(rule), async () => {
    // A rule's messages go to channels, which own nothing.
    const alerts = { ...rule, only_mine: true };
    const given = { alerts, personId: null, companies: runtime.connections };
    const { now, suggestions } = await rehearseQuieter(runtime, given);
    return { now: rateOf(now.count, DAYS), suggestions };
  });
}
