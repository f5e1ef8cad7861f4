import { sampleRows } from "@/e2e/upstream/sample-rows";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { step } from "@/lib/domain/incidents/step";
import type { SourceReason, Verdict } from "@/lib/domain/sync";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import { readIncidentsState, writeIncidents } from "@/lib/server/store/incidents/incident-records";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { companyState, endpoints, gaps, verdictChanges } from "@/lib/server/store/schema/record";

/** What a check finds: the verdict of each partner's only endpoint. */
export type Found = Readonly<Record<string, Verdict>>;

function rowOf(id: string, partner: string, atMs: number): ReadSyncStatus {
  const [row] = sampleRows(1, atMs);
  if (row === undefined) throw new Error("there is no sample");
  return { ...row, id, attributes: { ...row.attributes, partner_name: partner } };
}

/**
 * Records checks of companies, once a minute, as the collector does.
 * @param reasonOf why a company wasn't checked; default: unreachable
 */
export function createFleetRecord(
  database: Database,
  reasonOf: (company: string) => SourceReason = () => "unreachable",
) {
  const { orm } = database;
  /** By company: the last check, what it found, and when the trouble began that it found. */
  const seen = new Map<string, { atMs: number; found: Found; began: Map<string, number> }>();

  return {
    /**
     * Records one check. A gap is recorded where checks are missing.
     * @param newMs when trouble began that it finds first, epoch milliseconds; default: a minute before
     */
    check: async (company: string, atMs: number, found: Found, newMs = atMs - MINUTE_MS) => {
      const before = seen.get(company);
      const began = new Map(
        Object.entries(found).flatMap(([partner, verdict]): [string, number][] =>
          isTrouble(verdict) ? [[partner, before?.began.get(partner) ?? newMs]] : [],
        ),
      );
      const gap =
        before !== undefined && atMs - before.atMs > 2.5 * MINUTE_MS
          ? { fromMs: before.atMs, untilMs: atMs }
          : null;
      const partners = Object.entries(found);
      const state = await readIncidentsState(database, company);
      const after = step(
        state,
        {
          atMs,
          gap,
          endpoints: partners.map(([partner, verdict]) => ({
            id: `${company} ${partner}`,
            key: "rfis",
            partner,
            verdict,
            troubleBeganMs: began.get(partner) ?? null,
            landedMs: (began.get(partner) ?? atMs + MINUTE_MS) - MINUTE_MS,
            lastRun: null,
            isRescheduled: false,
            isQuiet: false,
          })),
        },
        INCIDENT_SETTINGS,
      );
      const was = new Set(state.open);
      const changed = after.state.open.filter((incident) => !was.has(incident));
      const at = new Date(atMs);
      const isEventful = gap !== null || [...after.events, ...after.ended].length > 0;
      await orm.transaction(async (tx) => {
        await writeIncidents(tx, company, { ...after, changed }, atMs, isEventful);
        await tx
          .insert(companyState)
          .values({
            company,
            version: 1,
            lastAttemptAt: at,
            rhythmSeconds: 60,
            nextRefreshAt: at,
            apiClockOffsetMs: 0,
            totalPages: 1,
            budget: { used: 1, limit: 60 },
          })
          .onConflictDoNothing();
        if (gap !== null)
          await tx.insert(gaps).values({
            company,
            fromAt: new Date(gap.fromMs),
            untilAt: at,
            reason: reasonOf(company),
          });
        for (const [partner, verdict] of partners) {
          const previous = before?.found[partner] ?? null;
          const endpoint = { company, endpointId: `${company} ${partner}` };
          await tx
            .insert(endpoints)
            .values({
              ...endpoint,
              endpointKey: "rfis",
              partnerName: partner,
              raw: rowOf(`${company} ${partner}`, partner, atMs),
              verdict,
              firstSeenAt: at,
            })
            .onConflictDoUpdate({
              target: [endpoints.company, endpoints.endpointId],
              set: { verdict },
            });
          if (previous !== verdict)
            await tx
              .insert(verdictChanges)
              .values({ ...endpoint, changedAt: at, verdict, previous });
        }
      });
      seen.set(company, { atMs, found, began });
    },
  };
}

/** Fleet incidents as recorded, without their ids: they are random. */
export async function readFleets({ pool }: Pick<Database, "pool">) {
  const { rows } = await pool.query<{
    id: string;
    partner: string;
    closed_at: Date | null;
    /** Company, incident, and when it joined and left, epoch milliseconds. */
    members: [string, number, number, number | null][];
  }>(
    `select f.id, f.partner, f.from_at, f.opened_at, f.changed_at, f.closed_at,
       (select json_agg(json_build_array(m.company, m.incident_id,
         ${epochMs("m.joined_at")}, ${epochMs("m.left_at")})
          order by m.company, m.incident_id) from fleet_members m where m.fleet_id = f.id) as members
     from fleet_incidents f order by f.opened_at, f.partner`,
  );
  const fleets = rows.map((row) => {
    const { id: _, ...fleet } = row;
    return fleet;
  });
  return { ids: rows.map(({ id }) => id), fleets };
}
