import { eq } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { incidentCare } from "@/lib/server/store/schema/incidents";
import { people } from "@/lib/server/store/schema/people";

/** The owners of all companies, by slug; companies without one are left out. */
export async function readOwners({ orm }: Pick<Database, "orm">): Promise<Map<string, Grantee>> {
  const rows = await orm
    .select({ company: incidentCare.company, owner: holderOf(orm) })
    .from(incidentCare)
    .innerJoin(people, eq(people.id, incidentCare.ownerId));
  return new Map(rows.map(({ company, owner }) => [company, owner]));
}

/** A person's id by email, in any case; null: none. */
export async function findPersonId(
  { orm }: Pick<Database, "orm">,
  email: string,
): Promise<string | null> {
  const [row] = await orm
    .select({ id: people.id })
    .from(people)
    .where(eq(people.email, email.toLowerCase()));
  return row?.id ?? null;
}
