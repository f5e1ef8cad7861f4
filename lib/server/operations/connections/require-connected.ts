import { invalid } from "@/lib/server/http/query";

/**
 * Requires that a request names only connected companies.
 * @param before slugs that were named before: a company that has left may stay
 * @throws Failure `invalid_request` about `companies`
 */
export function requireConnected(
  connections: readonly { company: string }[],
  companies: readonly string[],
  before: readonly string[] = [],
): void {
  const known = new Set([...connections.map(({ company }) => company), ...before]);
  if (companies.some((slug) => !known.has(slug)))
    throw invalid("companies", "must be companies connected to this Plumbline");
}
