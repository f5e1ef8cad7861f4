type Known = readonly { company: string; externalId?: string }[];

/** A company's id in another system, such as a CRM; null: it has none, or isn't connected. */
export function externalIdOf(connections: Known, company: string): string | null {
  return connections.find((connection) => connection.company === company)?.externalId ?? null;
}
