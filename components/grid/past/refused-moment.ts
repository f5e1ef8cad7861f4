import { statusOf } from "@/lib/client/api";
import { boardThen } from "./words";

/**
 * Why nothing of a moment can be shown; null: it can, as far as known.
 * @param atMs null: the address has no valid time
 * @param error of the request; null: it didn't fail
 */
export function refusedMoment(atMs: number | null, error: Error | null): string | null {
  if (atMs === null) return boardThen.unreadable;
  return statusOf(error) === 400 ? boardThen.ahead : null;
}
