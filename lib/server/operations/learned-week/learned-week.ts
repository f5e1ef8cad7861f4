import { Failure } from "@/lib/contracts/failure";
import { LearnedWeekChange, type LearnedWeekSwitch } from "@/lib/contracts/endpoint/learned-week";
import { weekFacts } from "@/lib/domain/learned-week/week-facts";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { notValid } from "@/lib/server/http/query";
import { nameFromParam } from "@/lib/server/operations/history/record-names";
import { actOf } from "@/lib/server/operations/incidents/act-on-incident";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import type { Database } from "@/lib/server/store/database";
import { isWeekOff, readWeeksInForce } from "@/lib/server/store/learned-weeks/learned-weeks";
import { switchLearnedWeek } from "@/lib/server/store/learned-weeks/write-weeks";
import { NO_FEED } from "./words";

type Runtime = Parameters<typeof syncStatusView>[0] & { database: Database; clock: Clock };
type Given = {
  company: string;
  /** The endpoint's segment of the address. */
  endpoint: string | undefined;
};

/**
 * Whether an endpoint's week is learned: `GET .../endpoints/[endpoint]/learned-week`.
 * @throws Failure `not_found` for an endpoint that the company doesn't have
 */
export async function getLearnedWeek(
  runtime: Runtime,
  { company, endpoint }: Given,
): Promise<LearnedWeekSwitch> {
  const { id } = endpointOf(runtime, company, endpoint);
  return switchOf(runtime, company, id);
}

async function switchOf(
  { database }: Pick<Runtime, "database">,
  company: string,
  id: string,
): Promise<LearnedWeekSwitch> {
  const isOff = await isWeekOff(database, company, id);
  const week = (await readWeeksInForce(database, company, id)).get(id);
  return { on: !isOff, learned_week: week === undefined ? null : weekFacts(week) };
}

/**
 * Switches the learned week of an endpoint on or off: `PUT .../endpoints/[endpoint]/learned-week`. Repeating it changes
 * nothing.
 * @throws Failure `invalid_request`; `not_found` for an endpoint that the company doesn't have
 */
export async function putLearnedWeek(
  runtime: Runtime,
  { company, person, endpoint, body }: Given & { person: Person; body: unknown },
): Promise<LearnedWeekSwitch> {
  const { id, subject, apiClockOffsetMs } = endpointOf(runtime, company, endpoint);
  const parsed = LearnedWeekChange.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { on } = parsed.data;
  const change = actOf(runtime, person);
  const atMs = change.nowMs + apiClockOffsetMs;
  const of = { company, endpointId: id };
  await switchLearnedWeek(runtime.database, of, on, { change, subject, atMs });
  return switchOf(runtime, company, id);
}

function endpointOf(runtime: Runtime, company: string, endpoint: string | undefined) {
  const id = nameFromParam(endpoint);
  const { rows, source } = syncStatusView(runtime, company);
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw new Failure("not_found", NO_FEED);
  const subject = `${row.partner_name} / ${row.endpoint_key}`;
  return { id, subject, apiClockOffsetMs: source.api_clock_offset_ms };
}
