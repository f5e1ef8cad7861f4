import type { CompanyCare } from "@/lib/contracts/dashboard";
import { standInAt } from "@/lib/domain/incidents/mine";
import { compareText } from "@/lib/domain/text/compare-text";
import { holds } from "@/lib/server/auth/access";
import { careOf as ofRow } from "@/lib/server/store/incidents/read-incidents";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import { acknowledgementOf, type IncidentsRuntime } from "./incident-view";
import { ongoingOf, type OngoingRuntime } from "./ongoing";

type Colleague = NonNullable<CompanyCare["owner"]>;

/** What people do about a company, and when the trouble of its endpoints started. */
export type Cared = {
  care: CompanyCare;
  /**
   * When the trouble of an endpoint started: as its open incident says, or the earlier of what its row says and when it
   * was first seen. Epoch milliseconds on the API's clock; null: unknown.
   * @param ofRowMs what its row alone says (`troubleBeganMs`); null: it isn't in trouble
   */
  beganMs: (endpointId: string, ofRowMs: number | null) => number | null;
};

/**
 * What people do about some companies, by slug; from memory, see `ongoingOf`. A company owner who lost the permission
 * and a stand-in outside their time, or who has become the owner, are left out.
 * @param given.personId the caller
 * @param given.partner counts only incidents of the partner of this name; null: of all partners
 */
export async function careOfCompanies(
  runtime: Pick<IncidentsRuntime, "auth"> & OngoingRuntime,
  companies: readonly string[],
  given: { personId: string; partner: string | null },
): Promise<Map<string, Cared>> {
  const ongoing = await ongoingOf(runtime, companies);
  return new Map(
    Array.from(ongoing, ([company, own]) => [
      company,
      {
        care: careOf(runtime, company, own, given),
        beganMs: (endpointId, ofRowMs) => beganMs(own, endpointId, ofRowMs),
      },
    ]),
  );
}

function careOf(
  { auth, clock }: Pick<IncidentsRuntime, "auth" | "clock">,
  company: string,
  { incidents, care, people }: Ongoing,
  { personId, partner }: { personId: string; partner: string | null },
): CompanyCare {
  const nowMs = clock.nowMs();
  const colleague = ({ id, name }: { id: string; name: string }): Colleague => ({
    name,
    is_you: id === personId,
  });
  const able = (id: string | null) => {
    const holder = people.find((one) => one.id === id);
    const isAble = holder !== undefined && holds(auth.access, holder, "handle-incidents", company);
    return isAble ? colleague(holder) : null;
  };
  const present = care === null ? null : standInAt(ofRow(care), nowMs);
  const standIn = present?.id === care?.ownerId ? null : able(present?.id ?? null);
  const open = incidents
    .filter((row) => partner === null || row.partnerName === partner)
    .map((row) => ({ row, by: acknowledgementOf(row, nowMs, personId) }));
  const unacknowledged = open.filter(({ by }) => by === null);
  const onIt = new Map(open.flatMap(({ by }) => (by === null ? [] : [[by.by_id, by.by]])));
  const next = (unacknowledged[0] ?? open[0])?.row;
  return {
    open: open.length,
    unacknowledged: unacknowledged.length,
    on_it: [...onIt]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([id, name]) => colleague({ id, name })),
    next: next === undefined ? null : { id: next.id, partner_name: next.partnerName },
    owner: able(care?.ownerId ?? null),
    stand_in:
      standIn === null || present === null
        ? null
        : { ...standIn, until: new Date(present.untilMs).toISOString() },
  };
}

function beganMs(
  { incidents, suspects }: Ongoing,
  endpointId: string,
  ofRowMs: number | null,
): number | null {
  const began = incidents
    .flatMap(({ members }) => members)
    .flatMap((one) => (one.endpointId === endpointId && one.endedMs === null ? one.beganMs : []));
  if (began.length > 0) return Math.min(...began);
  // Endpoint ids are arbitrary text from the API, including "constructor".
  const suspect = Object.hasOwn(suspects, endpointId) ? suspects[endpointId] : undefined;
  return ofRowMs === null ? null : Math.min(ofRowMs, suspect?.beganMs ?? Infinity);
}
