import { LRUCache } from "lru-cache";
import type { FleetIncident } from "@/lib/contracts/fleet-incidents";
import type { Person } from "@/lib/server/auth/person";
import { RECHECK_MS } from "@/lib/server/cache/batched-cache";
import { heldOngoing } from "@/lib/server/cache/held-ongoing";
import type { Clock } from "@/lib/server/clock";
import {
  openFleetOf,
  type FleetRuntime,
} from "@/lib/server/operations/fleet-incidents/get-fleet-incident";
import { sharedState } from "@/lib/server/shared-state";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import type { CompanyWithPartner } from "./partner-companies";

/** The open fleet incident of a partner; null: none. `version`: equal only for equal contents. */
type PartnerFleet = { fleet: FleetIncident | null; version: string };

type Kept = {
  of: readonly WeakRef<object>[];
  changes: number;
  readAtMs: number;
  read: Promise<PartnerFleet>;
};
const MAX_KEPT = 500;

type Asked = { person: Person; partnerName: string };

/** As of an earlier moment. @param atMs epoch milliseconds on our clock */
export function partnerFleetThen(
  runtime: FleetRuntime,
  asked: Asked & { atMs: number },
): Promise<PartnerFleet> {
  return readFleet(runtime, asked);
}

/**
 * As of now; read again once a check or a person changed an incident of a company.
 * @param key of what the person sees
 */
export function partnerFleetNow(
  runtime: FleetRuntime & { clock: Clock },
  having: readonly CompanyWithPartner[],
  { key, ongoing, ...asked }: Asked & { key: string; ongoing: ReadonlyMap<string, Ongoing> },
): Promise<PartnerFleet> {
  const kept = sharedState(
    runtime.database,
    "fleets of partners",
    () => new LRUCache<string, Kept>({ max: MAX_KEPT }),
  );
  const before = kept.get(key);
  const parts = having.flatMap(({ at: { slug } }) => ongoing.get(slug) ?? []);
  const { changes } = heldOngoing(runtime.database);
  const nowMs = runtime.clock.monotonicMs();
  const isSame =
    before?.changes === changes &&
    nowMs - before.readAtMs < RECHECK_MS &&
    before.of.length === parts.length &&
    parts.every((part, at) => before.of[at]?.deref() === part);
  if (isSame) return before.read;
  const read = readFleet(runtime, { ...asked, atMs: null });
  const entry = { changes, readAtMs: nowMs, of: parts.map((part) => new WeakRef(part)), read };
  kept.set(key, entry);
  read.catch(() => {
    if (kept.peek(key) === entry) kept.delete(key);
  });
  return read;
}

async function readFleet(
  runtime: FleetRuntime,
  { person, partnerName, atMs }: Asked & { atMs: number | null },
): Promise<PartnerFleet> {
  const fleet = await openFleetOf(runtime, { person, partner: partnerName, atMs });
  return { fleet, version: JSON.stringify(fleet) };
}
