import type { SourceReason } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";

/** Stored facts about one client's tokens, excluding the tokens. */
export type ClientFacts = {
  /** Space-separated; null: nothing granted yet. */
  scopes: string | null;
  /** Age and remaining lifetime of the read token, milliseconds; null: none is valid now. */
  token: { ageMs: number; endsInMs: number } | null;
};

/** Keyed by origin and client id, joined by `clientKey`. Ages are by the database clock. */
export async function readClients({
  pool,
}: Pick<Database, "pool">): Promise<Map<string, ClientFacts>> {
  const { rows } = await pool.query<{
    origin: string;
    client_id: string;
    purpose: string;
    scopes: string;
    age_ms: string;
    ends_in_ms: string;
  }>(
    `with clock as (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms)
     select origin, client_id, purpose, scopes, now_ms - issued_at_ms as age_ms,
       expires_at_ms - now_ms as ends_in_ms
     from upstream_tokens, clock where purpose in ('grants', 'read')`,
  );
  const found = new Map<string, ClientFacts>();
  for (const row of rows) {
    const key = clientKey(row.origin, row.client_id);
    const facts = found.get(key) ?? { scopes: null, token: null };
    const endsInMs = Number(row.ends_in_ms);
    if (row.purpose === "grants") facts.scopes = row.scopes;
    else {
      facts.scopes ??= row.scopes;
      if (endsInMs > 0) facts.token = { ageMs: Number(row.age_ms), endsInMs };
    }
    found.set(key, facts);
  }
  return found;
}

export function clientKey(origin: string, clientId: string): string {
  return `${origin} ${clientId}`;
}

/** A period in which a company's API returned no data, on the API clock. */
export type SourceGap = { fromMs: number; untilMs: number; reason: SourceReason };

/** The latest source gap of each company that has one. */
export async function readLastGaps(
  { pool }: Pick<Database, "pool">,
  companies: readonly string[],
): Promise<Map<string, SourceGap>> {
  const { rows } = await pool.query<{
    company: string;
    from_at: Date;
    until_at: Date;
    reason: string;
  }>(
    `select g.* from unnest($1::text[]) as of(company)
     cross join lateral (
       select company, from_at, until_at, reason from gaps
       where company = of.company and reason not in ('stopped', 'not_recorded', 'starting')
       order by from_at desc limit 1
     ) g`,
    [companies],
  );
  return new Map(
    rows.map(({ company, from_at, until_at, reason }) => [
      company,
      {
        fromMs: from_at.getTime(),
        untilMs: until_at.getTime(),
        // Only source reasons are left after the filter in the query.
        reason: reason as SourceReason,
      },
    ]),
  );
}
