import { asc } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { companies } from "@/lib/server/store/schema/record";

/** A company that is connected no more, and whose record is kept. */
export type LeftCompany = {
  slug: string;
  /** As it was called last. */
  name: string;
  /** When that was first found, epoch milliseconds on our clock; null: a moment ago. */
  leftAtMs: number | null;
};

/** Every company that was ever connected, by name; of those that still are, `leftAtMs` is null. */
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
