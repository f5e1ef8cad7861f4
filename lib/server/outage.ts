import type { Clock } from "@/lib/server/clock";

/**
 * Classes of SQLSTATE that say "not now": connection lost, out of resources or disk, cancelled for taking too
 * long, shutting down, I/O.
 */
const SQLSTATE = /^(08|53|57|58)/;
const SYSTEM = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
/** `pg` gives no code when its own pool, its patience or a broken socket is the reason. */
const PG_MESSAGE =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|client has encountered a connection error|cannot use a pool after/i;

/** Deep enough for every library's wrapping; an error may be its own cause. */
const MOST_CAUSES = 10;

/** Whether an error means that the database is away or full, rather than that we asked wrongly. */
export function isDatabaseOutage(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error; cause = cause.cause, depth++) {
    if (depth === MOST_CAUSES) return false;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (SQLSTATE.test(code) || SYSTEM.test(code) || PG_MESSAGE.test(cause.message)) return true;
    // A Unix socket that is gone, or whose queue is full, as opposed to any other missing file.
    const isConnecting = "syscall" in cause && cause.syscall === "connect";
    if (isConnecting && (code === "ENOENT" || code === "EAGAIN")) return true;
  }
  return false;
}

/** A page that failed for an outage is told so although the database answers again by then. */
const RECENT_MS = 2_000;

/** Remembers when something last failed because the database was away. */
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
