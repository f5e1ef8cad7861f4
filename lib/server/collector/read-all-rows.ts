import { isDeepStrictEqual } from "node:util";
import { MAX_PAGE, MAX_PER_PAGE, type ReadSyncStatus } from "@/lib/contracts/v3";
import { toStorable } from "@/lib/server/store/storable";
import { UpstreamFailure, type Upstream } from "@/lib/server/upstream/upstream";
import { unlessAborted } from "@/lib/server/waiting";

/** All rows of a company, read as one. */
export type AllRows = {
  /** By id, in the order of the API. */
  rows: Map<string, ReadSyncStatus>;
  /** What the read cost, in requests; at least 1. */
  totalPages: number;
  apiClockOffsetMs: number;
};

/** More endpoints than these we neither hold nor could poll in time: 200 pages are over five minutes. */
const MAX_ROWS = 20_000;
/** All rows of a company as JSON, in characters: what is held of them in memory is a few times as much. */
const MAX_LENGTH = 32 * 1024 * 1024;

/**
 * Reads every page of a company's sync status, one after the other.
 * Pages may shift while we read: what does not hold together is read once more.
 * @param signal ends the read at once, with the signal's reason; a request on its way is left to end
 * @param onFirstFailure called at the first failed attempt of any page
 * @throws UpstreamFailure, `invalid_response` when the pages do not hold together twice in a row
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
      if (totalCount > MAX_ROWS) throw invalid(`${totalCount} rows are more than ${MAX_ROWS}`);
      if (totalPages > Math.min(MAX_PAGE, Math.max(1, totalCount)))
        throw invalid(`${totalPages} pages for ${totalCount} rows`);
    } else if (meta.total_count !== totalCount || Math.max(1, meta.total_pages) !== totalPages) {
      whole = false;
    }
    if (meta.page !== page) whole = false;
    length += JSON.stringify(value.data).length;
    if (length > MAX_LENGTH) throw invalid(`the rows are longer than ${MAX_LENGTH} characters`);
    const idsInPage = new Set<string>();
    for (const row of toStorable(value.data)) {
      if (idsInPage.has(row.id)) {
        repeatedInPage += 1;
        // One of the two is wrong, and nothing says which.
        if (!isDeepStrictEqual(rows.get(row.id), row)) whole = false;
      }
      idsInPage.add(row.id);
      rows.set(row.id, row);
    }
  }
  // An id repeated alike within one answer is just that. Repeated on another page, it came there by a shift,
  // which has pushed some other row out of our sight: that is a row short of the total.
  if (rows.size > totalCount || rows.size + repeatedInPage < totalCount) whole = false;
  return { rows, totalPages, apiClockOffsetMs, whole };
}

function invalid(message: string): UpstreamFailure {
  return new UpstreamFailure("invalid_response", message);
}
