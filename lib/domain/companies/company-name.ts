/**
 * A company as JSON and messages name it.
 * @property external_id its id in another system, such as a CRM; absent: it has none
 */
export type CompanyName = { slug: string; name: string; external_id?: string | undefined };

/** Only the members that name a company, without `external_id` if it has none. */
export function companyName({ slug, name, external_id: id }: CompanyName): CompanyName {
  return { slug, name, ...(id !== undefined && { external_id: id }) };
}
