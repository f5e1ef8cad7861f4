/**
 * An address below `/api` for a company.
 * @param query undefined values are omitted
 */
export function companyPath(
  company: string,
  address: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  return withQuery(`/companies/${encodeURIComponent(company)}/${address}`, query);
}

/** An address with a query; undefined values are omitted. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const search = new URLSearchParams(given).toString();
  return search === "" ? path : `${path}?${search}`;
}
