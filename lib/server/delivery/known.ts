import type { Orm } from "@/lib/server/store/database";
import { readNames, readToldRecord } from "@/lib/server/store/delivery/delivery-facts";
import type { MessageContext } from "./compose";

/** Reads what messages of a company are written from. @param given.sinceMs see `readToldRecord` */
export async function readKnown(
  orm: Orm,
  { sinceMs, ...given }: Omit<MessageContext, "record" | "names"> & { sinceMs: number },
): Promise<MessageContext> {
  const record = await readToldRecord(orm, given.company.slug, sinceMs);
  return { ...given, record, names: await readNames(orm, record) };
}
