import { isDeepStrictEqual } from "node:util";
import { MAX_PER_PAGE, type ReadSyncStatus, type ReadSyncStatusList } from "@/lib/contracts/v3";
import { instantMs } from "@/lib/domain/time/instant";
import { CLOCK_SUSPECT_MS } from "@/lib/domain/verdict";
import { sharedState } from "@/lib/server/shared-state";
import { toStorable } from "@/lib/server/store/storable";
import { excessOf } from "@/lib/server/upstream/parse-answer";
import { UpstreamFailure, type Upstream } from "@/lib/server/upstream/upstream";
import { unlessAborted } from "@/lib/server/waiting";

/** All rows of a company, read consistently. */
export type AllRows = {
  /** By id, in API order. */
  rows: Map<string, ReadSyncStatus>;
  /** Number of requests; at least 1. */
  totalPages: number;
  apiClockOffsetMs: number;
};

/** All rows of a company as JSON, characters: memory usage is a few times as much. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * Reads all pages of a company's sync status in sequence. Pages may shift in between: an inconsistent set is
 * read once more.
 * @param signal ends the read at once, with the signal's reason; a request in flight completes
 * @param onFirstFailure called on the first failed attempt of any page
 * @throws UpstreamFailure, `invalid_response` when the pages are inconsistent twice in a row
 */
export async function readAllRows(
  upstream: Pick<Upstream, "getSyncStatus">,
  signal: AbortSignal,
  onFirstFailure: (failure: UpstreamFailure) => void,
): Promise<AllRows> {
  const first = await readOnce(upstream, signal, onFirstFailure);
  if (first.whole) return first;
  const second = await readOnce(upstream, signal, onFirstFailure);
  if (second.whole) return second;
  throw invalid("the pages contradicted each other or themselves, twice");
}

/**
 * Whether a response sets the API's clock back, to another time than ours, while it lists data received after its `Date`,
 * but not after the clock that was known. Such data shows that the known clock counts: by the earlier one, all other data
 * would look more recent than it is.
 * @param knownOffsetMs the API's clock as known before, minus ours
 */
export function isWronglySetBack(
  { rows, apiClockOffsetMs }: AllRows,
  nowMs: number,
  knownOffsetMs: number,
): boolean {
  const tooLateMs = nowMs + apiClockOffsetMs + CLOCK_SUSPECT_MS;
  const knownNowMs = nowMs + knownOffsetMs;
  if (Math.abs(apiClockOffsetMs) <= CLOCK_SUSPECT_MS || knownNowMs <= tooLateMs) return false;
  return [...rows.values()].some(({ attributes: { last_updated_at: receivedAt } }) => {
    const receivedMs = instantMs(receivedAt);
    return receivedMs !== null && receivedMs > tooLateMs && receivedMs <= knownNowMs;
  });
}

type Attempt = AllRows & { whole: boolean };

async function readOnce(
  upstream: Pick<Upstream, "getSyncStatus">,
  signal: AbortSignal,
  onFirstFailure: (failure: UpstreamFailure) => void,
): Promise<Attempt> {
  const rows = new Map<string, ReadSyncStatus>();
  let repeatedInPage = 0;
  let length = 0;
  let totalCount = 0;
  let totalPages = 1;
  let apiClockOffsetMs = 0;
  let whole = true;
  for (let page = 1; page <= totalPages && whole; page += 1) {
    signal.throwIfAborted();
    const { value, apiClockOffsetMs: offsetMs } = await unlessAborted(
      upstream.getSyncStatus({ page, perPage: MAX_PER_PAGE }, "background", onFirstFailure),
      signal,
    );
    apiClockOffsetMs = offsetMs;
    const { meta } = value;
    if (page === 1) {
      totalCount = meta.total_count;
      totalPages = Math.max(1, meta.total_pages);
      const problem = excessOf(meta);
      if (problem !== null) throw invalid(problem);
    } else if (meta.total_count !== totalCount || Math.max(1, meta.total_pages) !== totalPages) {
      whole = false;
    }
    if (meta.page !== page) whole = false;
    const stored = storedOf(value);
    length += stored.length;
    if (length > MAX_LENGTH) throw invalid(`the rows are longer than ${MAX_LENGTH} characters`);
    const idsInPage = new Set<string>();
    for (const row of stored.rows) {
      if (idsInPage.has(row.id)) {
        repeatedInPage += 1;
        // One of the two is wrong, and it can't be determined which.
        if (!isDeepStrictEqual(rows.get(row.id), row)) whole = false;
      }
      idsInPage.add(row.id);
      rows.set(row.id, row);
    }
  }
  // An identical repetition within one response is harmless. A repetition on another page is due to a shift
  // that hid another row, so the set is one row short of the total.
  if (rows.size > totalCount || rows.size + repeatedInPage < totalCount) whole = false;
  return { rows, totalPages, apiClockOffsetMs, whole };
}

/** The rows of a page as they are stored, and their length as JSON; computed once for a page that stays the same. */
function storedOf(list: ReadSyncStatusList): { rows: readonly ReadSyncStatus[]; length: number } {
  return sharedState(list, "as stored", () => ({
    rows: toStorable(list.data),
    length: JSON.stringify(list.data).length,
  }));
}

function invalid(message: string): UpstreamFailure {
  return new UpstreamFailure("invalid_response", message);
}
