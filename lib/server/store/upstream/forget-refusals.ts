import type { Database } from "@/lib/server/store/database";
import { createUpstreamBudgetStore } from "./upstream-budget";

/**
 * Forgets that the credentials of changed connections were refused: that was before they changed. Never rejects; if it
 * fails, they only wait for a poll.
 * @param changed slugs
 */
export async function forgetRefusals(
  database: Database,
  connections: readonly { company: string; baseUrl: string; clientId: string }[],
  changed: readonly string[],
): Promise<void> {
  const budget = createUpstreamBudgetStore(database, null);
  await Promise.allSettled(
    connections
      .filter(({ company }) => changed.includes(company))
      .map(({ baseUrl, clientId }) => budget.accept(new URL(baseUrl).origin, clientId)),
  );
}
