import { invalid, type Fault } from "@/lib/server/http/query";

const COMPANIES: Fault = {
  name: "companies",
  must: "must be companies connected to this Plumbline",
};

/**
 * Requires that a request names only connected companies.
 * @param before slugs that were named before: a company that has left may stay
 * @param fault the property that names them
 * @throws Failure `invalid_request`
 */
export function requireConnected(
  connections: readonly { company: string }[],
  companies: readonly string[],
  before: readonly string[] = [],
  { name, must } = COMPANIES,
): void {
  const known = new Set([...connections.map(({ company }) => company), ...before]);
  if (companies.some((slug) => !known.has(slug))) throw invalid(name, must);
}
