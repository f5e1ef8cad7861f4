import type { ConnectionsView } from "@/lib/contracts/connections";
import type { CompaniesView, SyncStatusView } from "@/lib/contracts/dashboard";
import type { MeView } from "@/lib/contracts/me";
import type { PeopleView } from "@/lib/contracts/people";
import type { TokensView } from "@/lib/contracts/tokens";
import type { DisplaysView } from "@/lib/contracts/wall";
import { companiesView } from "@/lib/server/operations/sync/get-companies";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { listConnections } from "@/lib/server/operations/connections/list-connections";
import { getMe } from "@/lib/server/operations/me/get-me";
import { printedPasswordLeft } from "@/lib/server/operations/me/printed-password";
import { listPeople } from "@/lib/server/operations/people/list-people";
import { listAllTokens, listOwnTokens } from "@/lib/server/operations/tokens/list-tokens";
import { listDisplays } from "@/lib/server/operations/displays/list-displays";
import { getRuntime } from "@/lib/server/running";
import { currentSession } from "./current-person";
import { canSeeBudget, type Person } from "@/lib/server/auth/person";
import { hasRight } from "@/lib/domain/rights";

/**
 * Data of a page's first render, before the browser requests its own. `nowMs`: our clock, epoch
 * milliseconds.
 */
type FirstView = { view: SyncStatusView; nowMs: number };

/**
 * A company's snapshot, as the API would return it now. The caller has checked the permission.
 * @param person who may see the request budget or not; absent: the page doesn't need it
 */
export function firstView(company: string, person?: Person): FirstView {
  const runtime = getRuntime();
  runtime.recentlyViewed.add(company);
  const seesBudget = person !== undefined && canSeeBudget(person);
  return { view: syncStatusView(runtime, company, seesBudget), nowMs: runtime.clock.nowMs() };
}

/**
 * The companies that a person may see, as the API would return them now.
 * @param partner limits the result to this partner, by name; null: all
 */
export async function firstCompanies(
  person: Person,
  partner: string | null = null,
): Promise<{ view: CompaniesView; nowMs: number }> {
  const runtime = getRuntime();
  return { view: await companiesView(runtime, person, partner), nowMs: runtime.clock.nowMs() };
}

/** The connections, as the API would return them now; null for a person who may not manage them. */
export async function firstConnections(
  person: Person,
): Promise<{ view: ConnectionsView | null; nowMs: number }> {
  const runtime = getRuntime();
  const view = hasRight(person.grants, "manage-connections", null)
    ? await listConnections(runtime)
    : null;
  return { view, nowMs: runtime.clock.nowMs() };
}

/** Whether a person may manage people and read the activity of the installation. */
export function mayManagePeople({ grants }: Person): boolean {
  return hasRight(grants, "manage-people", null);
}

/**
 * The API tokens of the person, or of all people for those who manage them, as the API would return them now.
 * @returns `view`: null while the database is unavailable
 */
export async function firstTokens(
  person: Person,
): Promise<{ managesAll: boolean; view: TokensView | null; nowMs: number }> {
  const runtime = getRuntime();
  const managesAll = mayManagePeople(person);
  const list = managesAll ? listAllTokens : listOwnTokens;
  const view = await list(runtime, { person }).catch(() => null);
  return { managesAll, view, nowMs: runtime.clock.nowMs() };
}

/** Our clock, epoch milliseconds. */
export function nowMs(): number {
  return getRuntime().clock.nowMs();
}

/**
 * A page of people, as the API would return it now.
 * @param path the API address; only its query string counts
 * @returns `isMailing`: links are mailed too; `view`: null for a person who may not manage people,
 *   and while the database is unavailable
 */
export async function firstPeople(
  person: Person,
  path: string,
): Promise<{ mayManage: boolean; isMailing: boolean; view: PeopleView | null; nowMs: number }> {
  const runtime = getRuntime();
  const mayManage = mayManagePeople(person);
  const query = new URLSearchParams(path.split("?")[1]);
  const view = mayManage ? await listPeople(runtime, { query }).catch(() => null) : null;
  const isMailing = mayManage && runtime.mailer !== null;
  return { mayManage, isMailing, view, nowMs: runtime.clock.nowMs() };
}

/**
 * The signed-in person, as the API would return them now; null while the database is unavailable.
 */
export async function firstMe(): Promise<{ view: MeView | null; nowMs: number }> {
  const runtime = getRuntime();
  const signedIn = await currentSession();
  const view = signedIn === null ? null : await getMe(runtime, signedIn).catch(() => null);
  return { view, nowMs: runtime.clock.nowMs() };
}

/**
 * Who still has the password that was printed when Plumbline first started, with which nothing can be connected: the
 * signed-in person or another account. Null: unknown, because the database is unavailable.
 */
export async function firstPrintedPassword(): Promise<"own" | { email: string } | "none" | null> {
  const { view } = await firstMe();
  if (view === null) return null;
  if (view.local?.is_password_printed === true) return "own";
  return printedPasswordLeft(getRuntime()).then(
    (email) => (email === null ? "none" : { email }),
    () => null,
  );
}

/** All displays, as the API would return them now; null for a person who may not manage them. */
export async function firstDisplays(
  person: Person,
): Promise<{ view: DisplaysView | null; nowMs: number }> {
  const runtime = getRuntime();
  const view = hasRight(person.grants, "manage-displays", null)
    ? await listDisplays(runtime)
    : null;
  return { view, nowMs: runtime.clock.nowMs() };
}
