import type { Role } from "@/lib/domain/rights";

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
