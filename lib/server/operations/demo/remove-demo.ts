import { type DemoRemoval, DemoRemovalRequest } from "@/lib/contracts/connections";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import type { DemoControl } from "@/lib/server/demo-control";
import { notValid } from "@/lib/server/http/query";
import { NO_DEMO } from "./words";

type DemoRuntime = { clock: Pick<Clock, "nowMs">; demo: Pick<DemoControl, "isOn" | "remove"> };

/**
 * Removes the demo for good: its companies, people, sessions, links and record: `DELETE /api/demo`. The audit log stays.
 * @throws Failure `invalid_request`; `not_found` without a demo
 */
export async function removeDemo(
  { clock, demo }: DemoRuntime,
  { person: { id, name, email }, body }: { person: Person; body: unknown },
): Promise<DemoRemoval> {
  const parsed = DemoRemovalRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  if (!demo.isOn()) throw new Failure("not_found", NO_DEMO);
  const change = { person: { id, name, email }, nowMs: clock.nowMs() };
  return { state: await demo.remove(change) };
}
