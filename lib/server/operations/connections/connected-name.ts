/** Name of a connected company; null when it is not connected. */
export function connectedName(
  connections: readonly { company: string; name: string }[],
  company: string,
): string | null {
  return connections.find((connection) => connection.company === company)?.name ?? null;
}
