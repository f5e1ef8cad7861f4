import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { SharedThen } from "@/lib/contracts/links";
import { isWhollyResting, type Member } from "@/lib/domain/incidents/incident";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import type { CopiedIncident, CopiedMember } from "@/lib/domain/words/copied-incident";
import { spokenEnding } from "@/lib/domain/words/incident-words";
import type { SharedLink } from "@/lib/server/auth/share-links";
import type { Database } from "@/lib/server/store/database";
import { readIncident, type IncidentRow } from "@/lib/server/store/incidents/read-incidents";
import { copiedIncident } from "./shared-past";
import { endpointThen, sharedNow, type SharedNow, type SharedRow } from "./shared-rows";

/** Current state of an incident; of its partner's endpoints only its members in trouble. */
export type IncidentNow = CopiedIncident & {
  /** Members still in trouble, worst first, as far as they are listed. */
  now: SharedNow;
  /** Members still in trouble, by id; `shown` is null for one that isn't listed. */
  open: ReadonlyMap<string, { verdict: Verdict; shown: SharedRow | null }>;
};

/**
 * The incident of a link: the one that was shared, and never another that got its number since.
 * @returns null when its record is gone
 */
export async function sharedIncident(
  { database }: { database: Database },
  { company, incidentId, stored }: Pick<SharedLink, "company" | "incidentId" | "stored">,
): Promise<IncidentRow | null> {
  if (incidentId === null) return null;
  const row = await readIncident(database.orm, company, incidentId);
  return row?.openedAt.getTime() === copiedIncident(stored)?.openedMs ? row : null;
}

/**
 * @param view of its company
 * @param nowMs our clock, epoch milliseconds
 * @returns null before the first snapshot
 */
export function incidentNow(
  row: IncidentRow,
  view: SyncStatusView,
  nowMs: number,
): IncidentNow | null {
  if (view.as_of === null) return null;
  const partners = sharedNow(view, row.partnerName, nowMs);
  const inTrouble = row.endedAt === null ? row.members.filter(isOpen) : [];
  const ids = new Set(inTrouble.map(({ endpointId }) => endpointId));
  const now = { ...partners, rows: partners.rows.filter((shown) => ids.has(shown.row.id)) };
  const rows = new Map(now.rows.map((shown) => [shown.row.id, shown]));
  const open = new Map(
    inTrouble.map(({ endpointId, verdict }) => {
      const shown = rows.get(endpointId) ?? null;
      return [endpointId, { verdict: shown?.judgement.word ?? verdict, shown }] as const;
    }),
  );
  return {
    beganMs: row.beganAt.getTime(),
    openedMs: row.openedAt.getTime(),
    endedMs: row.endedAt?.getTime() ?? null,
    ending: row.ending && spokenEnding(row.ending, isWhollyResting(row.members)),
    endpointCount: partners.rows.length,
    members: inOrder(row.members.map(copiedMember), (id) => open.get(id)?.verdict),
    now,
    open,
  };
}

/** What a link stores of an incident when it is shared. */
export function storedIncident(incident: IncidentNow, companyName: string): SharedThen {
  const { now, open, members } = incident;
  return {
    company_name: companyName,
    at: iso(now.apiNowMs),
    confidence: now.confidence,
    as_of: iso(now.asOfMs ?? now.apiNowMs),
    endpoints: members.flatMap(({ id, endpointKey }) => {
      const known = open.get(id);
      if (known === undefined) return [];
      if (known.shown !== null) return [endpointThen(known.shown)];
      const { verdict } = known;
      return [{ id, endpoint_key: endpointKey, verdict, age_seconds: null, overdue_seconds: null }];
    }),
    incident: {
      began_at: iso(incident.beganMs),
      opened_at: iso(incident.openedMs),
      ended_at: incident.endedMs === null ? null : iso(incident.endedMs),
      ending: incident.ending,
      endpoint_count: incident.endpointCount,
      members: members.map(({ id, endpointKey, beganMs, endedMs, ending }) => ({
        id,
        endpoint_key: endpointKey,
        began_at: iso(beganMs),
        ended_at: endedMs === null ? null : iso(endedMs),
        ending,
      })),
    },
  };
}

const isOpen = ({ endedMs }: Member) => endedMs === null;

const copiedMember = ({
  endpointId,
  endpointKey,
  beganMs,
  endedMs,
  ending,
  isResting,
}: Member): CopiedMember => ({
  id: endpointId,
  endpointKey,
  beganMs,
  endedMs,
  ending: ending && spokenEnding(ending, isResting),
});

/** Members in trouble first, worst first; then the others, latest recovery first. */
function inOrder(
  members: readonly CopiedMember[],
  verdictOf: (id: string) => Verdict | undefined,
): readonly CopiedMember[] {
  const rank = ({ id, endedMs }: CopiedMember) =>
    endedMs === null ? VERDICTS.indexOf(verdictOf(id) ?? "unknown") : VERDICTS.length;
  return members.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (b.endedMs ?? 0) - (a.endedMs ?? 0) ||
      a.beganMs - b.beganMs ||
      (a.endpointKey < b.endpointKey ? -1 : 1),
  );
}
