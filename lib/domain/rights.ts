/** Roles, least first: each may do what the one before it may, and more. */
export const ROLES = ["viewer", "member", "operator", "administrator"] as const;
export type Role = (typeof ROLES)[number];

/**
 * What somebody may do at companies. `view` is reading anything of one; `handle-incidents`: acknowledging, owning and
 * noting, and saying who looks after a company.
 */
const COMPANY_RIGHTS = ["view", "handle-incidents", "share-links", "delete-files"] as const;
/** What concerns no single company: nobody has it for some of them only. */
const HOUSE_RIGHTS = [
  "manage-displays",
  "manage-links",
  "manage-people",
  "manage-connections",
  "manage-channels",
  "manage-rules",
] as const;
/** The closed list of what a person may do. */
export const RIGHTS = [...COMPANY_RIGHTS, ...HOUSE_RIGHTS] as const;
export type Right = (typeof RIGHTS)[number];

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ["view"],
  member: ["view", "handle-incidents", "share-links"],
  operator: COMPANY_RIGHTS,
  administrator: RIGHTS,
};

/** What a person is at one company (its slug), or at all of them (null), those that come later included. */
export type Grant = { role: Role; company: string | null };

/**
 * Whether somebody with these grants has a right at a company.
 * @param company its slug; null: at all of them, which is what managing the house takes
 */
export function hasRight(grants: readonly Grant[], right: Right, company: string | null): boolean {
  return grants.some(
    (grant) =>
      (grant.company === null || grant.company === company) &&
      RIGHTS_OF[grant.role].includes(right),
  );
}

/** Whether somebody with these grants has a right at any company at all. */
export function hasRightSomewhere(grants: readonly Grant[], right: Right): boolean {
  return grants.some((grant) => hasRight([grant], right, grant.company));
}

/** The most that somebody with these grants is anywhere; null: nothing. */
export function highestRole(grants: readonly Grant[]): Role | null {
  return ROLES.findLast((role) => grants.some((grant) => grant.role === role)) ?? null;
}
