import type { Clock } from "@/lib/server/clock";

/**
 * SQLSTATE classes of temporary failures: lost connection, insufficient resources or disk space, operator intervention
 * (timeout, shutdown), I/O error; and a database that takes no writes.
 */
const SQLSTATE = /^(08|25006|53|57|58)/;
const SYSTEM = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
/** `pg` sets no code on errors of its pool, its timeouts and broken sockets. */
const PG_MESSAGE =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|client has encountered a connection error|cannot use a pool after/i;

/** Of these, those that may concern some rows only: their block can't be read from the disk. */
const OF_SOME_ROWS = /^58/;

/** Bounded, because an error may be its own cause. */
const MAX_CAUSES = 10;

/** Whether an error means that the database is unreachable or full, as opposed to an invalid query. */
export function isDatabaseOutage(error: unknown): boolean {
  return isOutage(error, () => true);
}

/** The same, but that it may concern one company's rows only, which must not stop the work on others. */
export function isOutageForAll(error: unknown): boolean {
  return isOutage(error, (code) => !OF_SOME_ROWS.test(code));
}

function isOutage(error: unknown, counts: (code: string) => boolean): boolean {
  for (let cause = error, depth = 0; cause instanceof Error; cause = cause.cause, depth++) {
    if (depth === MAX_CAUSES) return false;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (!counts(code)) return false;
    if (SQLSTATE.test(code) || SYSTEM.test(code) || PG_MESSAGE.test(cause.message)) return true;
    // A Unix socket that is missing, or whose backlog is full, as opposed to another missing file.
    const isConnecting = "syscall" in cause && cause.syscall === "connect";
    if (isConnecting && (code === "ENOENT" || code === "EAGAIN")) return true;
  }
  return false;
}

/** An error page still names the outage if the database has recovered this recently. */
const RECENT_MS = 2_000;

/** Time of the last failure caused by a database outage. */
export type OutageMemory = { note(error: unknown): void; isRecent(): boolean };

export function createOutageMemory({ monotonicMs }: Pick<Clock, "monotonicMs">): OutageMemory {
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    note(error) {
      if (isDatabaseOutage(error)) lastMs = monotonicMs();
    },
    isRecent: () => monotonicMs() - lastMs < RECENT_MS,
  };
}
