import { isCompanySlug } from "@/lib/domain/company-slug";

/**
 * A slug may have been reserved since it was connected in a browser; those of variables and files are validated with
 * them.
 * @throws Error naming the first one, and the way out
 */
export function refuseReservedSlugs(connections: readonly { company: string }[]): void {
  const reserved = connections.find(({ company }) => !isCompanySlug(company));
  if (reserved === undefined) return;
  const { company: slug } = reserved;
  throw new Error(
    `"${slug}" is the slug of a connected company, and now one of our own addresses. Run "npm run companies -- rename ${slug} NEW", then start again`,
  );
}
