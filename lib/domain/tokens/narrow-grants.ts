import { ROLES, type Grant, type Role } from "@/lib/domain/rights";

/** What an API token allows: only reading, or also handling incidents and planning quiet times. */
export const TOKEN_SCOPES = ["read", "act"] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Highest role that a token ever has. What it may request with it depends on its scope. */
const HIGHEST: Role = "member";

/**
 * What remains of a person's grants for one of their tokens: the same grants, limited to the token's companies and to
 * the highest role of tokens.
 * @param companies slugs; null: all of the person's
 */
export function narrowGrants<G extends Grant>(
  grants: readonly G[],
  companies: readonly string[] | null,
): G[] {
  return grants.flatMap((grant): G[] => {
    const role = lower(grant.role, HIGHEST);
    if (companies === null) return [{ ...grant, role }];
    const its = companies.filter((one) => grant.company === null || grant.company === one);
    return its.map((company) => ({ ...grant, role, company }));
  });
}

function lower(a: Role, b: Role): Role {
  return ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b;
}
