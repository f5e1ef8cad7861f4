import { createHash } from "node:crypto";
import { MAX_PAGE, MAX_PER_PAGE, type ReadScheduleFileList } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import type { DiskGuard } from "@/lib/server/store/disk";
import { confirmNewestPage } from "@/lib/server/store/files/confirm-newest-page";
import { countFiles } from "@/lib/server/store/files/find-schedule-files";
import {
  countSeen,
  markUnseen,
  readFileIndex,
  readNewestUnseen,
  saveFileIndex,
  tidyFiles,
  upsertFiles,
  type FileIndexState,
} from "@/lib/server/store/files/schedule-files";
import { addMissingKeys } from "@/lib/server/store/files/file-keys";
import { UpstreamFailure, type Upstream } from "@/lib/server/upstream/upstream";
import {
  afterPage,
  isCovered,
  nextPage,
  resumed,
  type FileCoverage,
} from "@/lib/domain/schedules/file-coverage";
import { noteLaterSightings } from "@/lib/server/store/deletions/later-sightings";
import { unlessAborted } from "@/lib/server/waiting";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

/** Longest time between scans for deletions. */
const SCAN_EVERY_MS = DAY_MS;
/** Pause after a scan, as a multiple of its duration: scans use at most a quarter of the time. */
const REST_PER_SCAN = 3;
/** Pages of a long scan after which the head is read again: 2.5 % more requests. */
const PAGES_PER_HEAD = 40;
/** Fewer rows are counted quickly without a vacuum. */
const FILES_TO_TIDY = 1_000;
/** How often it is recorded when files were last seen, while their page stays the same. */
const SEEN_EVERY_MS = 15 * MINUTE_MS;

/** One company while this process leads. */
export type IndexedCompany = {
  slug: string;
  upstream: Upstream;
  signal: AbortSignal;
  /** The leader's. */
  writer: Writer;
  /** Null: not loaded from the database yet. */
  index: OpenIndex | null;
};

export type OpenIndex = {
  state: FileIndexState;
  /** Of the current scan. */
  coverage: FileCoverage;
  /** Page size last applied by upstream, which may be less than requested. */
  perPage: number;
  /** Consecutive inconsistent pages. */
  faults: number;
  pagesSinceHead: number;
  /** The newest page as last stored between scans; null: not since the last scan. */
  newest: StoredPage | null;
};

/** `storedMs`: when it was stored, on the monotonic clock. */
type StoredPage = { digest: string; storedMs: number };
/** A page of the list. `requestedMs`: when it was requested, on our clock. */
type ReadPage = { list: ReadScheduleFileList; requestedMs: number };

const NOTHING_READ: FileIndexState = {
  scan: 0,
  nextPage: null,
  scanStartedAt: null,
  scannedAt: null,
  total: null,
  complete: false,
  asOf: null,
  reason: null,
};

/**
 * Reads the files of a company: scans through the whole list, and its head in between.
 * @param options.rhythmMs interval of reading the head
 */
export function createFileScan(options: {
  database: Database;
  clock: Clock;
  log: Log;
  disk: DiskGuard;
  rhythmMs: number;
}) {
  const { database, clock, log, disk, rhythmMs } = options;

  async function openIndex({ slug, writer }: IndexedCompany): Promise<OpenIndex> {
    await addMissingKeys(writer, slug);
    const state = (await readFileIndex(database.orm, slug)) ?? NOTHING_READ;
    return {
      state,
      coverage: resumed(state.nextPage ?? 1, state.total, MAX_PER_PAGE),
      perPage: MAX_PER_PAGE,
      faults: 0,
      pagesSinceHead: 0,
      newest: null,
    };
  }

  function startScan(index: OpenIndex): void {
    const { state } = index;
    index.state = {
      ...state,
      scan: state.scan + 1,
      nextPage: 1,
      scanStartedAt: new Date(clock.nowMs()),
    };
    index.coverage = { covered: 0, ahead: null, total: null };
    index.faults = 0;
    index.pagesSinceHead = 0;
    index.newest = null;
  }

  /** Abandons a scan that can't complete: the head is still polled, and another scan starts in due time. */
  function giveUp(index: OpenIndex): void {
    index.state = {
      ...index.state,
      nextPage: null,
      scannedAt: new Date(clock.nowMs()),
      complete: false,
    };
  }

  function isScanDue({ upstream }: IndexedCompany, { state }: OpenIndex): boolean {
    if (state.scannedAt === null) return true;
    const sinceMs = Math.abs(clock.nowMs() - state.scannedAt.getTime());
    if (sinceMs >= SCAN_EVERY_MS) return true;
    const pages = Math.ceil((state.total ?? 0) / MAX_PER_PAGE);
    const scanMs = (pages * MINUTE_MS) / upstream.jobsPerMinute();
    return !state.complete && sinceMs >= REST_PER_SCAN * scanMs;
  }

  async function scan(company: IndexedCompany, index: OpenIndex): Promise<void> {
    const { slug } = company;
    let headReadMs = clock.monotonicMs();
    while (!isCovered(index.coverage)) {
      const page = nextPage(index.coverage, index.perPage);
      // Upstream clamps higher page numbers.
      if (page > MAX_PAGE) break;
      if (await disk.isLow()) return;
      await storePage(company, index, await requestPage(company, page));
      index.faults = 0;
      index.pagesSinceHead += 1;
      const sinceHeadMs = clock.monotonicMs() - headReadMs;
      if (index.pagesSinceHead >= PAGES_PER_HEAD && sinceHeadMs >= rhythmMs) {
        headReadMs = clock.monotonicMs();
        index.pagesSinceHead = 0;
        await readHead(company, index);
      }
    }
    const number = index.state.scan;
    // Additions at the head in the meantime are the only difference allowed.
    if ((await countSeen(database.orm, slug, number)) !== index.state.total)
      await readHead(company, index);
    await endScan(company, index);
  }

  /** Marks files as gone that a consistent scan didn't see. */
  async function endScan(company: IndexedCompany, index: OpenIndex): Promise<void> {
    const { slug, upstream, signal, writer } = company;
    const { scan: number, total, scanStartedAt } = index.state;
    const nowMs = clock.nowMs();
    const of = { number, startedMs: scanStartedAt?.getTime() ?? 0, endedMs: nowMs };
    const seen = await countSeen(database.orm, slug, number);
    let isWhole = isCovered(index.coverage) && total !== null && seen >= total;
    const unseen = isWhole ? await readNewestUnseen(database.orm, slug, of) : null;
    if (unseen !== null) {
      // Reads one of them separately, because a list may be wrong in ways that no count reveals.
      const { value } = await unlessAborted(upstream.getScheduleFile(unseen, "jobs"), signal);
      isWhole = value === null;
      if (!isWhole) log.warn({ company: slug, file: unseen }, "the list lacks a file that exists");
    }
    if (signal.aborted) return;
    await writer.orm.transaction(async (tx) => {
      const gone = isWhole ? await markUnseen(tx, slug, of) : 0;
      if (gone > 0) await noteLaterSightings(tx, slug, nowMs);
      const known = await countFiles(tx, slug);
      index.state = {
        ...index.state,
        nextPage: null,
        scannedAt: new Date(nowMs),
        complete: known === total,
      };
      await saveFileIndex(tx, slug, index.state);
      log.info({ company: slug, known, total, gone }, "scanned the schedule files");
    });
    if ((total ?? 0) < FILES_TO_TIDY) return;
    await tidyFiles(database).catch((err: unknown) => {
      log.warn({ err, company: slug }, "the schedule file index could not be cleaned up");
    });
  }

  /** Reads from the newest file until known ones. */
  async function readHead(company: IndexedCompany, index: OpenIndex): Promise<void> {
    for (let page = 1; page <= MAX_PAGE; page += 1) {
      if (await disk.isLow()) return;
      const read = await requestPage(company, page);
      if (page === 1 && (await isStored(company, index, read))) return;
      const fresh = await storePage(company, index, read);
      if (page === 1 && index.state.nextPage === null)
        index.newest = { digest: digestOf(read), storedMs: clock.monotonicMs() };
      if (fresh === 0 || page * index.perPage >= (index.state.total ?? 0)) break;
    }
  }

  async function requestPage(
    { upstream, signal }: IndexedCompany,
    page: number,
  ): Promise<ReadPage> {
    signal.throwIfAborted();
    const requestedMs = clock.nowMs();
    const { value: list } = await unlessAborted(
      upstream.listScheduleFiles({ page, perPage: MAX_PER_PAGE }, "jobs"),
      signal,
    );
    const { data, meta } = list;
    if (meta.page !== page || meta.per_page > MAX_PER_PAGE || data.length > meta.per_page) {
      throw new UpstreamFailure("invalid_response", `page ${page} is not the requested page`);
    }
    return { list, requestedMs };
  }

  /** Whether the newest page needn't be stored: it is the one that was, and nothing else is known about its files since. */
  async function isStored(
    { slug, writer: { once } }: IndexedCompany,
    index: OpenIndex,
    read: ReadPage,
  ): Promise<boolean> {
    const { newest } = index;
    if (newest === null || once === undefined || index.state.nextPage !== null) return false;
    if (clock.monotonicMs() - newest.storedMs >= SEEN_EVERY_MS) return false;
    if (newest.digest !== digestOf(read)) return false;
    const { list, requestedMs } = read;
    const ids = list.data.map(({ id }) => id);
    if (!(await confirmNewestPage(once, slug, { ids, requestedMs, nowMs: clock.nowMs() })))
      return false;
    index.state = { ...index.state, asOf: new Date(requestedMs), reason: null };
    return true;
  }

  /** @returns number of files that weren't known */
  async function storePage(
    { slug, writer }: IndexedCompany,
    index: OpenIndex,
    { list: { data, meta }, requestedMs }: ReadPage,
  ): Promise<number> {
    const coverage = afterPage(index.coverage, meta);
    const isScanning = index.state.nextPage !== null;
    return writer.orm.transaction(async (tx) => {
      const seen = { scan: index.state.scan, requestedMs, nowMs: clock.nowMs() };
      const fresh = await upsertFiles(tx, slug, data, seen);
      const known = isScanning ? null : await countFiles(tx, slug);
      const state: FileIndexState = {
        ...index.state,
        nextPage: isScanning ? nextPage(coverage, MAX_PER_PAGE) : null,
        total: meta.total_count,
        complete: known === null ? index.state.complete : known === meta.total_count,
        asOf: new Date(requestedMs),
        reason: null,
      };
      await saveFileIndex(tx, slug, state);
      await noteLaterSightings(tx, slug, seen.nowMs);
      index.state = state;
      index.coverage = coverage;
      index.perPage = meta.per_page;
      return fresh;
    });
  }

  return { openIndex, startScan, giveUp, isScanDue, scan, readHead };
}

const digestOf = ({ list }: ReadPage) =>
  createHash("sha256").update(JSON.stringify(list)).digest("base64");
