import { Failure } from "@/lib/contracts/failure";
import type { Database } from "@/lib/server/store/database";
import { findPrintedPassword } from "@/lib/server/store/people/people";
import { printedPassword } from "./words";

/**
 * For what must not start while a local account still has the password that was printed at the first start, such as
 * connecting a company.
 * @throws Failure `conflict`
 */
export async function requirePrintedPasswordChanged({
  database,
}: {
  database: Pick<Database, "orm">;
}): Promise<void> {
  const email = await printedPasswordLeft({ database });
  if (email !== null) throw new Failure("conflict", printedPassword(email));
}

/** Email address of an account that still has the password that was printed; null: none has. */
export function printedPasswordLeft({
  database,
}: {
  database: Pick<Database, "orm">;
}): Promise<string | null> {
  return findPrintedPassword(database.orm);
}
