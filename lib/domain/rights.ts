/** Roles, lowest first; each includes all rights of the one before. */
export const ROLES = ["viewer", "member", "operator", "administrator"] as const;
export type Role = (typeof ROLES)[number];

/**
 * Rights at a company. `view`: read everything; `handle-incidents`: acknowledge, own and note, set the owner of the
 * company, plan quiet times, make promises, enter allowances, name integrations and switch learned weeks.
 */
const COMPANY_RIGHTS = ["view", "handle-incidents", "share-links", "delete-files"] as const;
/** Rights that aren't tied to a company, and are only given for all of them. */
const INSTALLATION_RIGHTS = [
  "manage-displays",
  "manage-links",
  "manage-people",
  "manage-connections",
  "manage-channels",
  "manage-rules",
] as const;
/** All rights. */
export const RIGHTS = [...COMPANY_RIGHTS, ...INSTALLATION_RIGHTS] as const;
export type Right = (typeof RIGHTS)[number];

const RIGHTS_OF: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ["view"],
  member: ["view", "handle-incidents", "share-links"],
  operator: COMPANY_RIGHTS,
  administrator: RIGHTS,
};

/** A role at one company (its slug), or at all of them (null), including future ones. */
export type Grant = { role: Role; company: string | null };

/**
 * Whether the grants include a right at a company.
 * @param company its slug; null: at all companies, which global rights require
 */
export function hasRight(grants: readonly Grant[], right: Right, company: string | null): boolean {
  return grants.some(
    (grant) =>
      (grant.company === null || grant.company === company) &&
      RIGHTS_OF[grant.role].includes(right),
  );
}

/** Whether the grants include a right at any company. */
export function hasRightSomewhere(grants: readonly Grant[], right: Right): boolean {
  return grants.some((grant) => hasRight([grant], right, grant.company));
}

/** The highest role at any company; null: none. */
export function highestRole(grants: readonly Grant[]): Role | null {
  return ROLES.findLast((role) => grants.some((grant) => grant.role === role)) ?? null;
}
