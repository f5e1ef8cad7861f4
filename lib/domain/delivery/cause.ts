import type { Sent } from "./plan-group";

/** A message that was written for a destination, in which others are included or not. */
export type WrittenMessage = {
  /** Epoch milliseconds. */
  dueMs: number;
  /** Key of the message that includes it; null: it was sent itself. */
  within: string | null;
};

/** What a message about several is about: `limited`, `partner:` or `host:` followed by which. */
export type Cause = string;

/** @param openedMs identifies the group among those of the same cause */
export function threadOf(cause: Cause, openedMs: number): string {
  return `${cause}:${openedMs}`;
}

/** Group that a message's key or thread belongs to; null: it isn't about several. */
export function groupOf(key: string): { cause: Cause; openedMs: number } | null {
  const [, cause, openedMs] =
    /^(limited|(?:partner|host):.+?):(-?\d+)(?::(?:opened|changed|ended)(?::-?\d+)?)?$/.exec(key) ??
    [];
  return cause === undefined ? null : { cause, openedMs: Number(openedMs) };
}

/**
 * How something was sent, as the groups of a cause see it.
 * @param shiftMs how far the clock of its company's API is ahead of the axis that all companies share
 * @returns on that axis. `elsewhere`: by a group of another cause
 */
export function sentFor(
  cause: Cause,
  message: WrittenMessage | null,
  shiftMs: number,
): Sent | "elsewhere" | null {
  if (message === null) return null;
  const group = message.within === null ? null : groupOf(message.within);
  const dueMs = message.dueMs - shiftMs;
  if (group === null) return { dueMs, groupMs: null };
  return group.cause === cause ? { dueMs, groupMs: group.openedMs } : "elsewhere";
}
