import { hasRight, type Role } from "@/lib/domain/rights";

/** Somebody who is signed in, as they were within the last seconds. */
export type Person = {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** Slugs of the companies they may see; `all` for administrators. */
  companies: "all" | readonly string[];
};

/** Whether a person may see a company at all. */
export function canSee(person: Person, company: string): boolean {
  return person.companies === "all" || person.companies.includes(company);
}

/** Whether a person may read the record of a company that is connected no more. */
export function canSeeLeft({ role }: Person): boolean {
  return hasRight(role, "manage-connections");
}

/** Whether a person may see a company that is connected, or the record of one that has left. */
export function canOpen(
  person: Person,
  company: string,
  {
    connections,
    leftCompanies,
  }: {
    connections: readonly { company: string }[];
    leftCompanies: { get(slug: string): unknown };
  },
): boolean {
  if (connections.some((connection) => connection.company === company)) {
    return canSee(person, company);
  }
  return canSeeLeft(person) && leftCompanies.get(company) !== null;
}
