import type { NamedIntegration } from "@/lib/contracts/schedule-files";

/**
 * Integrations with their names, each once, by number.
 * @param names by number
 */
export function namedIntegrations(
  ids: Iterable<number>,
  names: ReadonlyMap<number, string>,
): NamedIntegration[] {
  return [...new Set(ids)]
    .toSorted((a, b) => a - b)
    .map((id) => ({ partner_token_id: id, name: names.get(id) ?? null }));
}
