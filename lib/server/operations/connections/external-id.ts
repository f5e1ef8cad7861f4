import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import { sharedState } from "@/lib/server/shared-state";

/** What is needed of a connection to name its company. */
export type NamedConnection = { company: string; name: string; externalId?: string };
/** A runtime with all connections. */
export type Connected = { readonly connections: readonly NamedConnection[] };
type Known = readonly Omit<NamedConnection, "name">[];

/** A connected company as JSON names it. */
export function nameOf({ company, name, externalId }: NamedConnection): CompanyName {
  return companyName({ slug: company, name, external_id: externalId });
}

/** A company as JSON names it, also one that isn't connected any more. */
export function companyNamed(
  connections: Known,
  { slug, name }: { slug: string; name: string },
): CompanyName {
  return { slug, name, ...idMember(connections, slug) };
}

/** The member of JSON that stands beside a company's slug; none: the company has no such id, or isn't connected. */
export function idMember(connections: Known, company: string): { external_id?: string } {
  const id = externalIdOf(connections, company);
  return id === null ? {} : { external_id: id };
}

/** A company's id in another system, such as a CRM; null: it has none, or isn't connected. */
export function externalIdOf(connections: Known, company: string): string | null {
  const ids = sharedState(
    connections,
    "external ids",
    () => new Map(connections.map((one) => [one.company, one.externalId ?? null])),
  );
  return ids.get(company) ?? null;
}
