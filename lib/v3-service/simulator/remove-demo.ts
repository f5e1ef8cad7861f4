import { inArray } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { lockUntilCommit, V3_LOCKS } from "@/lib/v3-service/store/locks";
import {
  clients,
  companies,
  derivedData,
  derivedDataRemovals,
  scheduleFiles,
  simulation,
  syncConfigs,
} from "@/lib/v3-service/store/schema";
import { DEMO_COMPANIES } from "./companies";

/**
 * Deletes the demo companies with all their data, and the progress of the simulator, so that nothing is simulated from
 * then on. Does nothing in a database that the simulator didn't fill.
 */
export async function removeDemoWorld({ orm }: Pick<Database, "orm">): Promise<void> {
  const ids = DEMO_COMPANIES.map(({ companyId }) => companyId);
  await orm.transaction(async (tx) => {
    await lockUntilCommit(tx, V3_LOCKS.demoSeed);
    const simulated = await tx.delete(simulation).returning();
    if (simulated.length === 0) return;
    for (const table of [
      derivedDataRemovals,
      derivedData,
      scheduleFiles,
      // With its runs, landings and calls.
      syncConfigs,
      clients,
    ]) {
      await tx.delete(table).where(inArray(table.companyId, ids));
    }
    await tx.delete(companies).where(inArray(companies.id, ids));
  });
}
