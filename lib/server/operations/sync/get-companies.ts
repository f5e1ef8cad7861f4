import type { CompaniesView, CompanySummary, SyncStatusView } from "@/lib/contracts/dashboard";
import { judge, momentOf } from "@/lib/domain/judge";
import { tally } from "@/lib/domain/verdict";
import { canSee, type Person } from "@/lib/server/auth/person";
import type { CompanySnapshot } from "@/lib/server/collector/snapshots";
import { syncStatusView } from "./get-sync-status";

type Runtime = Parameters<typeof syncStatusView>[0] & {
  connections: readonly { company: string; name: string }[];
};
type Counts = CompanySummary["counts"];

/** Judging every endpoint of every company takes a while; a thousand viewers share it for a second. */
const SHARED_MS = 1000;
const shared = new WeakMap<CompanySnapshot, { version: string; counts: Counts }>();

/** Answers `GET /api/companies` from memory: `CompaniesView`, limited to what the person may see. */
export function getCompanies(runtime: Runtime, person: Person): Response {
  return Response.json(companiesView(runtime, person));
}

/** The same as data, for a page that draws it on the server. */
export function companiesView(runtime: Runtime, person: Person): CompaniesView {
  const nowMs = runtime.clock.nowMs();
  const visible = runtime.connections.filter(({ company }) => canSee(person, company));
  return {
    companies: visible.map(({ company, name }) => {
      const view = syncStatusView(runtime, company);
      const counts = sharedCounts(runtime.snapshots.get(company), view, nowMs);
      return { slug: company, name, as_of: view.as_of, source: view.source, counts };
    }),
  };
}

function sharedCounts(snapshot: CompanySnapshot | null, view: SyncStatusView, nowMs: number) {
  const version = `${view.source.confidence} ${Math.floor(nowMs / SHARED_MS)}`;
  const before = snapshot === null ? undefined : shared.get(snapshot);
  if (before?.version === version) return before.counts;
  const counts = countsAt(view, nowMs);
  if (snapshot !== null) shared.set(snapshot, { version, counts });
  return counts;
}

function countsAt(view: SyncStatusView, nowMs: number): Counts {
  const moment = momentOf(view, nowMs);
  return tally(view.rows.map((row) => judge(row, moment).word));
}
