import type { FileIndex } from "@/lib/contracts/schedule-files";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import type { DiskGuard } from "@/lib/server/store/disk";
import { readFileIndex, upsertFiles } from "@/lib/server/store/files/schedule-files";
import { isUpstreamFailure, type Upstream } from "@/lib/server/upstream/upstream";
import { answerCache } from "@/lib/server/cache/answer-cache";
import { within } from "@/lib/server/waiting";

/** Dependencies of the schedule file operations. */
export type FilesRuntime = {
  database: Database;
  clock: Clock;
  upstreams: ReadonlyMap<string, Upstream>;
  disk: DiskGuard;
};

/** Why a live read failed. */
type LiveFailure = { reason: NonNullable<FileIndex["reason"]> };

/** Result of a live read: when it was read, by our clock, and the files as stored from then on. */
type Live<T> = { value: T; atMs: number } | LiveFailure;
type LivePage = { data: readonly ReadScheduleFile[]; total: number };

/** Maximum wait for an upstream read, milliseconds. */
const PATIENCE_MS = 3_000;
/** How long a response or failure is shared among callers, milliseconds. */
const ANSWER_MS = 10_000;
const ANSWERS_KEPT = 200;
const ANSWERS_OF_EACH = 40;

const pages = answerCache<Live<LivePage>>("live pages", ANSWERS_KEPT, ANSWERS_OF_EACH);
const single = answerCache<Live<ReadScheduleFile | null>>(
  "live files",
  ANSWERS_KEPT,
  ANSWERS_OF_EACH,
);

/** Reads one page of the list from upstream into the mirror. */
export function readLivePage(
  runtime: FilesRuntime,
  company: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<Live<LivePage>> {
  return once(runtime, pages, company, `${page} ${perPage}`, async (upstream) => {
    const { value } = await upstream.listScheduleFiles({ page, perPage }, "people");
    const { data, meta } = value;
    // The last of duplicate ids wins, as in the mirror.
    const files = [...new Map(data.map((file) => [file.id, file])).values()];
    return { value: { data: files, total: meta.total_count }, files };
  });
}

/** Reads one file from upstream into the mirror; null when it doesn't exist. */
export function readLiveFile(
  runtime: FilesRuntime,
  company: string,
  id: number,
): Promise<Live<ReadScheduleFile | null>> {
  return once(runtime, single, company, String(id), async (upstream) => {
    const { value } = await upstream.getScheduleFile(id, "people");
    return { value, files: value === null ? [] : [value] };
  });
}

/** Shares one upstream request among all callers for a while. */
function once<T>(
  runtime: FilesRuntime,
  cached: ReturnType<typeof answerCache<Live<T>>>,
  company: string,
  key: string,
  ask: (upstream: Upstream) => Promise<{ value: T; files: readonly ReadScheduleFile[] }>,
): Promise<Live<T>> {
  const { database, clock, upstreams, disk } = runtime;
  const version = String(Math.floor(clock.monotonicMs() / ANSWER_MS));
  const answer = cached(database, company, key, version, async (): Promise<Live<T>> => {
    const upstream = upstreams.get(company);
    if (upstream === undefined) return { reason: "starting" };
    const requestedMs = clock.nowMs();
    let answered: { value: T; files: readonly ReadScheduleFile[] };
    try {
      answered = await ask(upstream);
    } catch (failure) {
      if (!isUpstreamFailure(failure)) throw failure;
      return { reason: failure.reason };
    }
    if (!(await disk.isLow())) {
      const scan = (await readFileIndex(database.orm, company))?.scan ?? 0;
      const seen = { scan, requestedMs, nowMs: clock.nowMs() };
      await upsertFiles(database.orm, company, answered.files, seen);
    }
    return { value: answered.value, atMs: requestedMs };
  });
  return within(clock, PATIENCE_MS, answer, () => ({ reason: "unreachable" as const }));
}
