import { eq } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { apiTokens } from "@/lib/server/store/schema/tokens";
import { deliveries, rules } from "@/lib/server/store/schema/delivery";
import { people } from "@/lib/server/store/schema/people";

const FOREIGN_KEY_VIOLATION = "23503";

/**
 * Deletes an account with everything of its own: sessions, grants, tokens, alerts and their messages.
 * @returns false if something else refers to it, such as an act: nothing was deleted
 */
export async function deletePerson({ orm }: Pick<Database, "orm">, id: string): Promise<boolean> {
  try {
    await orm.transaction(async (tx) => {
      await tx.delete(apiTokens).where(eq(apiTokens.personId, id));
      await tx.delete(deliveries).where(eq(deliveries.personId, id));
      await tx.delete(rules).where(eq(rules.personId, id));
      await tx.delete(people).where(eq(people.id, id));
    });
    return true;
  } catch (error) {
    if (codeOf(error) === FOREIGN_KEY_VIOLATION) return false;
    throw error;
  }
}

/** Drizzle wraps errors of `pg`. */
function codeOf(error: unknown): unknown {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code ?? (cause === undefined ? undefined : codeOf(cause));
}
