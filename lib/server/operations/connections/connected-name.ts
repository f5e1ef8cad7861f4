/** What a company that is connected is called; null: it is not. */
export function connectedName(
  connections: readonly { company: string; name: string }[],
  company: string,
): string | null {
  return connections.find((connection) => connection.company === company)?.name ?? null;
}
