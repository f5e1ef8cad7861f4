import type { Role } from "@/lib/domain/rights";

/** Labels of roles, and descriptions of their rights. */

export const ROLE_LABEL: Readonly<Record<Role, string>> = {
  viewer: "Viewer",
  member: "Member",
  operator: "Operator",
  administrator: "Administrator",
};

export const ROLE_SAYS: Readonly<Record<Role, string>> = {
  viewer: "View everything for the company",
  member: "Everything viewers can do, plus handle incidents and share links",
  operator: "Everything members can do, plus delete schedule files",
  administrator: "Everything, for all companies, plus settings",
};
