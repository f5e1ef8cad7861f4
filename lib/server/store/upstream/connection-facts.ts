import type { SourceReason } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";

/** What is stored of one client's tokens, without any of them. */
export type ClientFacts = {
  /** With spaces between; null: nothing was granted yet. */
  scopes: string | null;
  /** Of the token that reads: how old it is, and how long it lasts, milliseconds; null: there is none now. */
  token: { ageMs: number; endsInMs: number } | null;
};

/** By origin and client id, as `clientKey` joins them. Ages are by the database's clock. */
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

/** A stretch in which a company's API gave nothing, on the API's clock. */
export type SourceGap = { fromMs: number; untilMs: number; reason: SourceReason };

/** The last such stretch of each company that has one. */
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
        // What was written there is one of these, or was left out above.
        reason: reason as SourceReason,
      },
    ]),
  );
}
