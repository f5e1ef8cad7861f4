import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { Verdict } from "@/lib/domain/sync";
import { tally, verdict } from "@/lib/domain/verdict";
import { syncStatusView } from "@/lib/server/operations/get-sync-status";
import { getRuntime } from "@/lib/server/runtime";
import type { Person } from "./person";
import { visibleCompanies } from "./session";

/** What a page draws before the browser asks by itself. `nowMs`: our clock, epoch milliseconds. */
export type FirstView = { view: SyncStatusView; nowMs: number };

/** The snapshot of a company as the JSON would give it now. The caller has checked the right to it. */
export function firstView(company: string): FirstView {
  const runtime = getRuntime();
  return { view: syncStatusView(runtime, company), nowMs: runtime.clock.nowMs() };
}

/** One company in a person's list. */
export type CompanySummary = {
  slug: string;
  name: string;
  asOf: string | null;
  source: SyncStatusView["source"];
  /** Judged at `nowMs`; as the snapshot said when we are blind. */
  counts: Record<Verdict, number>;
};

/** The companies that a person may see, in the order of the configuration. */
export function companiesView(person: Person): { companies: CompanySummary[]; nowMs: number } {
  const runtime = getRuntime();
  const nowMs = runtime.clock.nowMs();
  const companies = visibleCompanies(person).map(({ slug, name }) => {
    const { as_of, source, rows } = syncStatusView(runtime, slug);
    const atMs = nowMs + source.api_clock_offset_ms;
    const words = rows.map((row) =>
      source.confidence === "blind" ? row.verdict : verdict(row, row.known, atMs).word,
    );
    return { slug, name, asOf: as_of, source, counts: tally(words) };
  });
  return { companies, nowMs };
}
