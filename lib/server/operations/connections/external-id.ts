type Known = readonly { company: string; externalId?: string }[];

/** A company as JSON names it; without `external_id`: it has none. */
export function companyNamed(
  connections: Known,
  { slug, name }: { slug: string; name: string },
): { slug: string; name: string; external_id?: string } {
  const externalId = externalIdOf(connections, slug);
  return { slug, name, ...(externalId !== null && { external_id: externalId }) };
}

/** A company's id in another system, such as a CRM; null: it has none, or isn't connected. */
export function externalIdOf(connections: Known, company: string): string | null {
  return connections.find((connection) => connection.company === company)?.externalId ?? null;
}
