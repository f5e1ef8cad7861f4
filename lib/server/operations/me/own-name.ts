import type { Person } from "@/lib/server/auth/person";
import type { Database } from "@/lib/server/store/database";
import { isNameShared } from "@/lib/server/store/people/people";

/**
 * The person's name, if it tells the person apart from everyone else with an account.
 * @returns null: another account has the same name, or that isn't known while the database is unavailable
 */
export async function ownName(
  { database }: { database: Pick<Database, "orm"> },
  { id, name }: Pick<Person, "id" | "name">,
): Promise<string | null> {
  const isShared = await isNameShared(database.orm, { id, name }).catch(() => true);
  return isShared ? null : name;
}
