/** Roles, least first. */
export const ROLES = ["viewer", "operator", "administrator"] as const;
export type Role = (typeof ROLES)[number];

/** The closed list of what a person may do. `view` is reading anything of a company. */
export const RIGHTS = [
  "view",
  "delete-files",
  "share-links",
  "manage-displays",
  "manage-people",
  "manage-connections",
] as const;
export type Right = (typeof RIGHTS)[number];

const RIGHTS_OF: Record<Role, readonly Right[]> = {
  viewer: ["view"],
  operator: ["view", "delete-files", "share-links"],
  administrator: RIGHTS,
};

/** Whether a role has a right; which companies it extends to is the membership's matter. */
export function hasRight(role: Role, right: Right): boolean {
  return RIGHTS_OF[role].includes(right);
}
