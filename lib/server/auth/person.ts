import { hasRight, type Grant } from "@/lib/domain/rights";

/** A signed-in person, as of the last few seconds. */
export type Person = {
  id: string;
  email: string;
  name: string;
  kind: "local" | "oidc";
  /** Manual grants, and those from access rules. */
  grants: readonly Grant[];
};

/** Whether a person may view a company. */
export function canSee({ grants }: Pick<Person, "grants">, company: string): boolean {
  return hasRight(grants, "view", company);
}

/** Whether a person may view the records of companies that are no longer connected. */
export function canSeeLeft({ grants }: Person): boolean {
  return hasRight(grants, "manage-connections", null);
}

/** Whether a person may view how many requests are sent to the sources. */
export function canSeeBudget({ grants }: Pick<Person, "grants">): boolean {
  return hasRight(grants, "manage-connections", null);
}

/** Whether a person may view a company: a connected one, or the record of one that was removed. */
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
