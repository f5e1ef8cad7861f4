import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Found, IncidentsApp } from "@/lib/server/operations/incidents/incidents-fixture";

/** Checks a company, and records what the check found. @param aheadMs how far the API's clock is ahead of ours */
export async function observe(
  app: IncidentsApp,
  company: string,
  found: readonly Found[],
  aheadMs = 0,
): Promise<void> {
  const { pool } = app.database;
  const nowMs = app.clock.nowMs();
  const apiNowMs = nowMs + aheadMs;
  await app.check(company, found, null, aheadMs);
  await pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ($1, 1, $2, $2, 60, $2, $3, 1, '{"used":0,"limit":60}')
     on conflict (company) do update set as_of = $2, api_clock_offset_ms = $3`,
    [company, iso(nowMs), aheadMs],
  );
  for (const { id, partner, key, verdict, overdue = 0 } of found) {
    await pool.query(
      `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, frequency_minutes, raw,
         verdict, first_seen_at)
       values ($1, $2, $3, $4, 60, '{}', $5, $6) on conflict (company, endpoint_id) do update set verdict = $5`,
      [company, id, key, partner, verdict, iso(nowMs)],
    );
    await pool.query(
      `insert into verdict_changes values ($1, $2, $3, $4, null) on conflict do nothing`,
      [company, id, iso(apiNowMs), verdict],
    );
    const landedMs = apiNowMs - (verdict === "fresh" ? 5 : 60 + overdue) * MINUTE_MS;
    await pool.query(
      `insert into landings values ($1, $2, $3, 'observed', $4) on conflict do nothing`,
      [company, id, iso(landedMs), iso(apiNowMs)],
    );
  }
}
