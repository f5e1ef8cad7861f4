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
