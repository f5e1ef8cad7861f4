import type { ConnectionsView } from "@/lib/contracts/connections";
import type { CompaniesView, SyncStatusView } from "@/lib/contracts/dashboard";
import type { MeView } from "@/lib/contracts/me";
import type { DisplaysView } from "@/lib/contracts/wall";
import { companiesView } from "@/lib/server/operations/sync/get-companies";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { listConnections } from "@/lib/server/operations/connections/list-connections";
import { getMe } from "@/lib/server/operations/me/get-me";
import { listDisplays } from "@/lib/server/operations/displays/list-displays";
import { getRuntime } from "@/lib/server/running";
import { currentSession } from "./current-person";
import type { Person } from "@/lib/server/auth/person";
import { hasRight } from "@/lib/domain/rights";

/** What a page draws before the browser asks by itself. `nowMs`: our clock, epoch milliseconds. */
type FirstView = { view: SyncStatusView; nowMs: number };

/** The snapshot of a company as the JSON would give it now. The caller has checked the right to it. */
export function firstView(company: string): FirstView {
  const runtime = getRuntime();
  runtime.attention.note(company);
  return { view: syncStatusView(runtime, company), nowMs: runtime.clock.nowMs() };
}

/** The companies that a person may see, as the JSON would give them now. */
export function firstCompanies(person: Person): { view: CompaniesView; nowMs: number } {
  const runtime = getRuntime();
  return { view: companiesView(runtime, person), nowMs: runtime.clock.nowMs() };
}

/** The connections, as the JSON would give them now; null for a person who may not manage them. */
export async function firstConnections(
  person: Person,
): Promise<{ view: ConnectionsView | null; nowMs: number }> {
  const runtime = getRuntime();
  const view = hasRight(person.grants, "manage-connections", null)
    ? await listConnections(runtime)
    : null;
  return { view, nowMs: runtime.clock.nowMs() };
}

/** Whoever is signed in, as the JSON would give them now; null while the database does not answer. */
export async function firstMe(): Promise<{ view: MeView | null; nowMs: number }> {
  const runtime = getRuntime();
  const signedIn = await currentSession();
  const view = signedIn === null ? null : await getMe(runtime, signedIn).catch(() => null);
  return { view, nowMs: runtime.clock.nowMs() };
}

/** The fleet of displays, as the JSON would give it now; null for a person who may not manage it. */
export async function firstDisplays(
  person: Person,
): Promise<{ view: DisplaysView | null; nowMs: number }> {
  const runtime = getRuntime();
  const view = hasRight(person.grants, "manage-displays", null)
    ? await listDisplays(runtime)
    : null;
  return { view, nowMs: runtime.clock.nowMs() };
}
