import type { Orm } from "@/lib/server/store/database";
import { readNames, readDeliveryFacts } from "@/lib/server/store/delivery/delivery-facts";
import type { RowBudget } from "@/lib/server/store/most-rows";
import { readPartnerRows } from "@/lib/server/store/sync/read-company";
import type { CompanyFeeds } from "./company-feeds";
import type { MessageContext } from "./compose";

/** Reads the context for a company's messages. @param given.sinceMs see `readDeliveryFacts`, as for `budget` */
export async function readMessageContext(
  orm: Orm,
  given: Omit<MessageContext, "record" | "names">,
  budget: Pick<RowBudget, "read">,
): Promise<MessageContext> {
  const record = await readDeliveryFacts(orm, given.company.slug, given.sinceMs, budget);
  return { ...given, record, names: await readNames(orm, record) };
}

/**
 * Reads the feeds that messages about some partners describe.
 * @param checkedMs the last check, epoch milliseconds; null: none, so nothing is known
 */
export async function readFeeds(
  orm: Orm,
  company: string,
  partners: readonly string[],
  checkedMs: number | null,
): Promise<CompanyFeeds | null> {
  if (partners.length === 0 || checkedMs === null) return null;
  return { checkedMs, rows: await readPartnerRows(orm, company, [...new Set(partners)]) };
}
