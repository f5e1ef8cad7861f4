import { Failure } from "@/lib/contracts/failure";
import type { Database } from "@/lib/server/store/database";
import { isAnyPasswordPrinted } from "@/lib/server/store/people/people";
import { PRINTED_PASSWORD } from "./words";

/**
 * For what must not start while the first administrator still has the password that was printed, such as connecting a
 * company.
 * @throws Failure `conflict`
 */
export async function requirePrintedPasswordChanged({
  database,
}: {
  database: Pick<Database, "orm">;
}): Promise<void> {
  if (await isPrintedPasswordLeft({ database })) throw new Failure("conflict", PRINTED_PASSWORD);
}

/** Whether the first administrator still has the password that was printed. */
export function isPrintedPasswordLeft({
  database,
}: {
  database: Pick<Database, "orm">;
}): Promise<boolean> {
  return isAnyPasswordPrinted(database.orm);
}
