import type { Database, Transaction } from "@/lib/server/store/database";
import {
  applyActs,
  holdIncidentsOf,
  type Act,
  type IncidentAct,
} from "@/lib/server/store/incidents/incident-acts";
import {
  areThese,
  asRow,
  selected,
  type IncidentRow,
} from "@/lib/server/store/incidents/read-incidents";
import { lockGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import { incidents } from "@/lib/server/store/schema/incidents";
import { readFleetIncident, type FleetRow } from "./read-fleet-incidents";

/** An incident of a company. */
export type Target = { company: string; id: number };

/**
 * Applies a user action to incidents of a fleet incident, in one transaction: to all of them or to none.
 * @param given.companies visible to the person; nothing of others is read or changed
 * @param given.others people the incidents may be assigned to
 * @param choose the incidents to act on; throws to abort. `holders` are the person acting and the others, locked until
 * commit
 * @param decide per incident; returns null if nothing would change; throws to abort
 * @returns the companies acted on
 */
export function actOnFleet(
  { orm }: Pick<Database, "orm">,
  given: { id: string; companies: readonly string[]; act: Act; others?: readonly string[] },
  choose: (row: FleetRow | null, holders: readonly Grantee[]) => readonly Target[],
  decide: (before: IncidentRow) => IncidentAct | null,
): Promise<string[]> {
  const { id, companies, act, others = [] } = given;
  return orm.transaction(async (tx) => {
    const holders = await lockGrantees(tx, [act.person.id, ...others]);
    const targets = choose(await readFleetIncident(tx, id, companies), holders);
    const locked = await lock(tx, targets);
    const all = locked.flatMap((before) => {
      const done = decide(before);
      return done === null ? [] : { before, done };
    });
    await applyActs(tx, all, act);
    return [...new Set(targets.map(({ company }) => company))];
  });
}

/** In the order in which all transactions lock incidents of several companies. */
async function lock(tx: Transaction, targets: readonly Target[]): Promise<IncidentRow[]> {
  await holdIncidentsOf(tx, [...new Set(targets.map(({ company }) => company))]);
  const isTarget = areThese(targets);
  await tx
    .select({ id: incidents.id })
    .from(incidents)
    .where(isTarget)
    .orderBy(incidents.company, incidents.id)
    .for("update");
  const rows = await selected(tx).where(isTarget).orderBy(incidents.company, incidents.id);
  return rows.map(asRow);
}
