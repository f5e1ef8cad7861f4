import type { TokenEntry } from "@/lib/contracts/tokens";
import type { Auth } from "@/lib/server/auth/auth";
import { canSee, type Person } from "@/lib/server/auth/person";
import { endOfToken, personOf, restOf } from "@/lib/server/auth/tokens/tokens";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import { nameOf } from "@/lib/server/operations/connections/external-id";
import type { Database } from "@/lib/server/store/database";
import type { ListedToken } from "@/lib/server/store/tokens/api-tokens";

/** Dependencies of the operations on tokens. */
export type TokensRuntime = {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "time" | "access" | "tokens">;
  securityLog: SecurityLog;
  readonly connections: readonly { company: string; name: string }[];
};

/**
 * A token as a person may see it.
 * @param given.nowMs PostgreSQL's clock, epoch milliseconds
 */
export function tokenView(
  { auth, connections }: Pick<TokensRuntime, "auth" | "connections">,
  row: ListedToken,
  { caller, nowMs, isPaused }: { caller: Person; nowMs: number; isPaused: boolean },
): TokenEntry {
  const { person, maker } = row;
  const seen = connections.filter(({ company }) => canSee(caller, company));
  const holder = personOf(row, auth.access);
  const restsMs = restOf(row);
  const named = row.companies && new Set(row.companies);
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scope: row.scope,
    companies: named && seen.filter(({ company }) => named.has(company)).map(nameOf),
    company_count: seen.filter(({ company }) => canSee(holder, company)).length,
    person: person && { name: person.name, is_you: person.id === caller.id },
    made_by: { name: maker.name, is_you: maker.id === caller.id },
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    last_network: row.lastNetwork,
    uses: row.uses,
    state: stateOf(row, { nowMs, isPaused, hasAccess: holder.grants.length > 0 }),
    rests_at: restsMs === null ? null : new Date(restsMs).toISOString(),
  };
}

function stateOf(
  row: ListedToken,
  { nowMs, isPaused, hasAccess }: { nowMs: number; isPaused: boolean; hasAccess: boolean },
): TokenEntry["state"] {
  const end = endOfToken(row, nowMs);
  if (end === "expired") return "expired";
  if (end !== null || !hasAccess) return "ended";
  if (isPaused) return "paused";
  const restsMs = restOf(row);
  return restsMs !== null && restsMs <= nowMs ? "resting" : "active";
}
