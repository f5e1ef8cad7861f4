import type { Clock } from "@/lib/server/clock";
import { briefErrorForLog, type Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import type { DiskGuard } from "@/lib/server/store/disk";
import { saveFileIndex } from "@/lib/server/store/files/schedule-files";
import type { LivingCompanies } from "@/lib/server/upstream/connections";
import { isUpstreamFailure, restsBecause, UpstreamFailure } from "@/lib/server/upstream/upstream";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import { pause } from "@/lib/server/waiting";
import { workOnEach } from "./each-company";
import { createFileScan, type IndexedCompany, type OpenIndex } from "./file-scan";

export type FileIndexerOptions = {
  database: Database;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  companies: LivingCompanies;
  pollSeconds: number;
  disk: DiskGuard;
};

const LOCK_RETRY_MS = 5_000;
/** Spreads the starts of companies. */
const STAGGER_MS = 250;
const MIN_RHYTHM_SECONDS = 60;
/** Full jitter added to the interval, as a fraction of it. */
const JITTER = 1 / 10;
/** An inconsistent page may be a temporary fault; after this many, the scan is abandoned. */
const FAULTS_PER_SCAN = 3;

/**
 * Mirrors the schedule files of all companies, in one process among all that share a database. Reads in the
 * `jobs` lane, one page at a time.
 *
 * A scan reads the whole list, newest first, and detects deletions. Between scans only the head is read, until
 * known files. If the count then differs from `total_count`, files were deleted further down, and another scan
 * starts unless scans have already used a quarter of the time.
 */
export function createFileIndexer(options: FileIndexerOptions): Leadership {
  const { database, clock, random, log, companies, disk } = options;
  const rhythmMs = Math.max(options.pollSeconds, MIN_RHYTHM_SECONDS) * 1000;
  const { openIndex, startScan, giveUp, isScanDue, scan, readHead } = createFileScan({
    ...options,
    rhythmMs,
  });

  async function lead(signal: AbortSignal, writer: Writer): Promise<void> {
    await workOnEach(companies, signal, async ({ upstream, connection }, own, place) => {
      await pause(clock, place * STAGGER_MS, own);
      await keep({ slug: connection.company, upstream, signal: own, writer, index: null });
    });
  }

  async function keep(company: IndexedCompany): Promise<void> {
    const { slug, signal } = company;
    while (!signal.aborted) {
      let nextMs = clock.monotonicMs() + rhythmMs * (1 + JITTER * random());
      try {
        await read(company);
      } catch (error) {
        if (signal.aborted) return;
        if (isUpstreamFailure(error)) {
          const { retryAtMs } = error;
          if (retryAtMs !== null) {
            nextMs = Math.max(nextMs, clock.monotonicMs() + retryAtMs - clock.nowMs());
          }
          // If no request could be sent, the upstream's last known status stays.
          if (!error.isOurs) await noteFailure(company, error);
        } else {
          log.warn({ err: error, company: slug }, "the schedule files were not read");
          // It is uncertain what was written, so reload it for the next attempt.
          company.index = null;
        }
      }
      await pause(clock, nextMs - clock.monotonicMs(), signal);
    }
  }

  /** Never throws. */
  async function noteFailure(company: IndexedCompany, failure: UpstreamFailure): Promise<void> {
    const { slug, index, signal, writer } = company;
    const { reason } = failure;
    // Only the first of its kind: in an outage, every read of every company fails.
    if (restsBecause(company.upstream.connection) === null && index?.state.reason !== reason) {
      const err = briefErrorForLog(failure);
      log.warn({ err, company: slug, reason }, "the upstream returned no schedule files");
    }
    if (index === null) return;
    index.state = { ...index.state, reason };
    if (reason === "invalid_response" && index.state.nextPage !== null) {
      index.faults += 1;
      if (index.faults >= FAULTS_PER_SCAN) giveUp(index);
    }
    try {
      if (!(await disk.isLow())) await save(writer, slug, index);
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err, company: slug }, "the state of the schedule files was not written");
      company.index = null;
    }
  }

  async function save(writer: Writer, slug: string, { state }: OpenIndex): Promise<void> {
    await writer.orm.transaction((tx) => saveFileIndex(tx, slug, state));
  }

  /** Continues a scan, or reads the head and starts a scan if that doesn't explain all differences. */
  async function read(company: IndexedCompany): Promise<void> {
    if (await disk.isLow()) return;
    company.index ??= await openIndex(company);
    const { index } = company;
    if (index.state.nextPage === null && !isScanDue(company, index)) await readHead(company, index);
    if (index.state.nextPage === null && isScanDue(company, index)) {
      startScan(index);
      // Stored at once, so that its progress is visible.
      await save(company.writer, company.slug, index);
    }
    if (index.state.nextPage !== null) await scan(company, index);
  }

  return createLeadership({
    database,
    of: "files",
    clock,
    random,
    log,
    retryMs: LOCK_RETRY_MS,
    lead,
  });
}
