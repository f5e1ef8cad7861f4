import { asc } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { companies } from "@/lib/server/store/schema/record";

/** A disconnected company whose record is retained. */
export type LeftCompany = {
  slug: string;
  /** Its latest name. */
  name: string;
  /** When it was first found disconnected, epoch milliseconds on our clock; null: just now. */
  leftAtMs: number | null;
};

/** All companies that were ever connected, by name; `leftAtMs` is null for connected ones. */
export async function readKnownCompanies({ orm }: Pick<Database, "orm">): Promise<LeftCompany[]> {
  const rows = await orm
    .select({ slug: companies.slug, name: companies.name, leftAt: companies.leftAt })
    .from(companies)
    .orderBy(asc(companies.name), asc(companies.slug));
  return rows.map(({ slug, name, leftAt }) => ({
    slug,
    name,
    leftAtMs: leftAt?.getTime() ?? null,
  }));
}
