import type { Orm } from "@/lib/server/store/database";
import { readNames, readDeliveryFacts } from "@/lib/server/store/delivery/delivery-facts";
import type { RowBudget } from "@/lib/server/store/most-rows";
import type { MessageContext } from "./compose";

/** Reads the context for a company's messages. @param given.sinceMs see `readDeliveryFacts`, as for `budget` */
export async function readMessageContext(
  orm: Orm,
  { sinceMs, ...given }: Omit<MessageContext, "record" | "names"> & { sinceMs: number },
  budget: Pick<RowBudget, "read">,
): Promise<MessageContext> {
  const record = await readDeliveryFacts(orm, given.company.slug, sinceMs, budget);
  return { ...given, record, names: await readNames(orm, record) };
}
