import type { AllowancesView } from "@/lib/contracts/calls/allowances";
import { listAllowances } from "@/lib/server/operations/allowances/allowances";
import { getRuntime } from "@/lib/server/running";

/**
 * The allowances of a company, as the API would return them now. The caller has checked the permission.
 * @returns `view`: null while the database is unavailable; `receivedMs`: our clock, epoch milliseconds
 */
export async function firstAllowances(
  company: string,
): Promise<{ view: AllowancesView | null; receivedMs: number }> {
  const runtime = getRuntime();
  const view = await listAllowances(runtime, { company }).catch(() => null);
  return { view, receivedMs: runtime.clock.nowMs() };
}
