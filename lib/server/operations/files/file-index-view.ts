import type { FileIndex, FileScopes, ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { MAX_PER_PAGE, type ReadScheduleFile } from "@/lib/contracts/v3";
import { countFiles, type FileFilters } from "@/lib/server/store/files/find-schedule-files";
import {
  countScans,
  readFileIndex,
  readLastGoneMs,
  type FileIndexState,
} from "@/lib/server/store/files/schedule-files";
import type { FilesRuntime } from "./live-files";
import { answerCache } from "@/lib/server/cache/answer-cache";
import { within } from "@/lib/server/waiting";

/** Maximum wait of a page request for granted scopes that aren't known yet. */
const SCOPES_PATIENCE_MS = 250;
/** Minimum number of pages for an estimate of the speed. */
const PAGES_TO_MEASURE = 10;
/** An interrupted scan looks slow: the estimate is at least this share of the budget's rate. */
const MIN_PACE = 1 / 4;

/** Extent of a company's mirror. */
export type OpenIndex = {
  view: FileIndex;
  /**
   * Files from the newest on that the mirror holds without a gap. Pages read live during the first
   * scan lie beyond it.
   */
  covered: number;
  /** Number of matching files; without filters, of known files. */
  count: (filters?: FileFilters) => Promise<number>;
  /** Changes with the files. Null while the mirror grows: pages read on demand don't change it. */
  version: string | null;
};

const COUNTS_KEPT = 1_000;
const COUNTS_OF_EACH = 100;
/** Cached, because counting is the only part of a list that reads all files. */
const counts = answerCache<number>("file counts", COUNTS_KEPT, COUNTS_OF_EACH);

export async function openFileIndex(runtime: FilesRuntime, company: string): Promise<OpenIndex> {
  const { database } = runtime;
  const [state, lastGoneMs] = await Promise.all([
    readFileIndex(database.orm, company),
    readLastGoneMs(database.orm, company),
  ]);
  const version = state?.complete === true ? `${state.asOf?.getTime()} ${lastGoneMs}` : null;
  const count: OpenIndex["count"] = (filters) => {
    const make = () => countFiles(database.orm, company, filters);
    if (version === null) return make();
    return counts(database, company, JSON.stringify(filters ?? null), version, make);
  };
  const known = await count();
  if (state === null) {
    const view = { known, total: null, complete: false, as_of: null, seconds_left: null } as const;
    return { view: { ...view, reason: "starting" }, covered: 0, count, version };
  }
  return {
    view: {
      known,
      total: state.total,
      complete: state.complete,
      as_of: state.asOf?.toISOString() ?? null,
      seconds_left: await secondsLeft(runtime, company, state),
      reason: state.reason ?? (state.asOf === null ? "starting" : null),
    },
    covered: state.scannedAt === null ? ((state.nextPage ?? 1) - 1) * MAX_PER_PAGE : known,
    count,
    version,
  };
}

/** Estimated seconds until the first scan ends; null when it has ended or can't be estimated. */
async function secondsLeft(
  { database, clock, upstreams }: FilesRuntime,
  company: string,
  { scannedAt, scanStartedAt, nextPage, total }: FileIndexState,
): Promise<number | null> {
  const upstream = upstreams.get(company);
  if (scannedAt !== null || scanStartedAt === null || nextPage === null) return null;
  if (total === null || upstream === undefined) return null;
  const pages = nextPage - 1;
  const scans = Math.max(1, await countScans(database.orm));
  const budgeted = upstream.jobsPerMinute() / scans / 60;
  const elapsedSeconds = Math.max(1, (clock.nowMs() - scanStartedAt.getTime()) / 1000);
  const perSecond =
    pages < PAGES_TO_MEASURE ? budgeted : Math.max(pages / elapsedSeconds, budgeted * MIN_PACE);
  return Math.ceil(Math.max(0, Math.ceil(total / MAX_PER_PAGE) - pages) / perSecond);
}

/** Granted upstream scopes; fetched first when unknown, within a short limit. */
export async function fileScopes(
  { clock, upstreams }: FilesRuntime,
  company: string,
): Promise<FileScopes> {
  const upstream = upstreams.get(company);
  const learned = upstream?.scopes("people").catch(() => null) ?? Promise.resolve(null);
  const granted = await within(clock, SCOPES_PATIENCE_MS, learned, () => null);
  return {
    read: granted?.includes("read:schedule_files") ?? null,
    delete: granted?.includes("write:schedule_files") ?? null,
  };
}

/** A file as JSON. */
export function fileRow(file: ReadScheduleFile): ScheduleFileRow {
  return {
    id: file.id,
    name: file.name,
    is_baseline: file.is_baseline,
    company_id: file.company_id,
    customer_project: file.customer_project,
    created_at: file.created_at,
    file_type: file.file_type,
    partner_token_id: file.partner_token_id,
  };
}
