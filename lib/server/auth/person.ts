import { hasRight, type Grant } from "@/lib/domain/rights";

/** Somebody who is signed in, as they were within the last seconds. */
export type Person = {
  id: string;
  email: string;
  name: string;
  kind: "local" | "oidc";
  /** Given by hand, and found by rules. */
  grants: readonly Grant[];
};

/** Whether a person may see a company at all. */
export function canSee(person: Person, company: string): boolean {
  return hasRight(person.grants, "view", company);
}

/** Whether a person may read the record of a company that is connected no more. */
export function canSeeLeft({ grants }: Person): boolean {
  return hasRight(grants, "manage-connections", null);
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
