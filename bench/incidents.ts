import { NOTHING_KNOWN } from "@/lib/domain/known";
import { NO_INCIDENTS, type IncidentsState } from "@/lib/domain/incidents/incident";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { step, type Observation } from "@/lib/domain/incidents/step";
import type { Verdict } from "@/lib/domain/sync";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";
import { writeIncidents } from "@/lib/server/store/incidents/incident-records";
import type { EndpointRecord } from "@/lib/server/store/sync/records";
import type { RecordSize } from "./record";
import { MINUTE_MS, DAY_MS } from "@/lib/domain/time/units";

/** Between two checks: what is late at one is stale at the next. */
const STEP_MS = 30 * MINUTE_MS;
/** Incidents that began within this time may still be open. */
const WEEK_MS = 7 * DAY_MS;

/**
 * An outage of a partner in which half of its endpoints get no data. Epoch milliseconds; `untilMs` is Infinity while it
 * lasts.
 */
type Spell = { partner: number; fromMs: number; untilMs: number };

/**
 * Fills the incidents of a company up to `nowMs`, as its checks would have: one partner after the other breaks and
 * recovers hours later; every other one of the past week is still broken.
 * @param size of the company, with the endpoints of `fillRecord`
 * @param everyMs interval between the starts of outages
 * @returns the state of the incident rule, and the endpoints at the last check, by id
 */
export async function fillIncidents(
  database: Database,
  size: Pick<RecordSize, "company" | "endpoints" | "partners" | "days">,
  everyMs: number,
  nowMs: number,
): Promise<{ state: IncidentsState; endpoints: Map<string, EndpointRecord> }> {
  const spells = spellsOf(size, everyMs, nowMs);
  let state: IncidentsState = NO_INCIDENTS;
  let wasBroken: ReadonlySet<number> = new Set();
  const partners = Array.from({ length: size.partners }, (_, partner) => partner);
  const endpoints = Array.from({ length: size.endpoints }, (_, n) =>
    observed(n, n % size.partners, null, nowMs - size.days * DAY_MS),
  );
  for (let atMs = nowMs - size.days * DAY_MS; atMs <= nowMs; atMs += STEP_MS) {
    const since = new Map(
      spells
        .filter(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)
        .map(({ partner, fromMs }) => [partner, fromMs]),
    );
    // All others haven't changed since the previous check.
    for (const partner of partners.filter((one) => since.has(one) || wasBroken.has(one)))
      for (let n = partner; n < size.endpoints; n += size.partners) {
        const isSpared = Math.floor(n / size.partners) % 2 === 1;
        endpoints[n] = observed(n, partner, isSpared ? null : (since.get(partner) ?? null), atMs);
      }
    wasBroken = new Set(since.keys());
    const before = new Set(state.open);
    const { ended, events, ...next } = step(
      state,
      { atMs, gap: null, endpoints },
      INCIDENT_SETTINGS,
    );
    state = next.state;
    const changed = state.open.filter((incident) => !before.has(incident));
    if (events.length === 0 && atMs < nowMs) continue;
    await database.orm.transaction((tx) =>
      writeIncidents(tx, size.company, { state, ended, events, changed }, atMs),
    );
  }
  const verdicts = endpoints.map(({ verdict }) => verdict);
  return { state, endpoints: recordsOf(size, verdicts, nowMs) };
}

/** The endpoints of a company, by id, with these verdicts. @param nowMs time of the check */
export function recordsOf(
  { partners }: Pick<RecordSize, "partners">,
  verdicts: readonly Verdict[],
  nowMs: number,
): Map<string, EndpointRecord> {
  return new Map(
    verdicts.map((verdict, n) => {
      const landed = iso(nowMs - (verdict === "fresh" ? 5 : 150) * MINUTE_MS);
      const status = verdict === "failing" ? "failed" : "completed";
      return [
        `e${n}`,
        {
          row: {
            id: `e${n}`,
            attributes: {
              endpoint_key: `key ${n}`,
              partner_name: `Partner ${n % partners}`,
              status: "active",
              last_updated_at: landed,
              next_sync_at: iso(nowMs + 30 * MINUTE_MS),
              last_sync_status: status,
              last_sync_started_at: landed,
              last_sync_finished_at: landed,
              last_sync_duration_seconds: 40,
              frequency_minutes: 60,
              api_calls_last_24h: 96,
            },
          },
          attributesSeenMs: {},
          known: { ...NOTHING_KNOWN, last_finished_status: status, last_finished_at: landed },
          failingSinceMs: null,
          lastFinishedStartedMs: null,
          verdict,
          promise: null,
          firstSeenMs: nowMs - WEEK_MS,
          lastReportedMs: null,
          missedSnapshots: 0,
          removedMs: null,
        },
      ];
    }),
  );
}

function spellsOf(
  { partners, days }: Pick<RecordSize, "partners" | "days">,
  everyMs: number,
  nowMs: number,
): Spell[] {
  const spells: Spell[] = [];
  const firstMs = nowMs - days * DAY_MS + STEP_MS;
  for (let n = 0; firstMs + n * everyMs < nowMs; n += 1) {
    const fromMs = firstMs + n * everyMs;
    const lasts = n % 2 === 0 && nowMs - fromMs < WEEK_MS;
    const untilMs = lasts ? Infinity : fromMs + STEP_MS * (4 + ((n * 13) % 40));
    spells.push({ partner: n % partners, fromMs, untilMs });
  }
  return spells;
}

/** @param brokenMs start of its outage, epoch milliseconds; null: it works */
function observed(
  n: number,
  partner: number,
  brokenMs: number | null,
  atMs: number,
): Observation["endpoints"][number] {
  const seen = { id: `e${n}`, key: `key ${n}`, partner: `Partner ${partner}`, isQuiet: false };
  if (brokenMs === null) {
    const landedMs = atMs - 5 * MINUTE_MS;
    return {
      ...seen,
      verdict: "fresh",
      troubleBeganMs: null,
      landedMs,
      lastRun: null,
      isRescheduled: false,
    };
  }
  const worse = partner % 3 === 0 ? "failing" : "stale";
  return {
    ...seen,
    verdict: atMs - brokenMs < STEP_MS ? "late" : worse,
    troubleBeganMs: brokenMs,
    landedMs: brokenMs - 60 * MINUTE_MS,
    lastRun: null,
    isRescheduled: false,
  };
}
