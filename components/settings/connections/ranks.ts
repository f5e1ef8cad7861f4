import type { ConnectionView } from "@/lib/contracts/connections";
import { confidenceNow } from "@/lib/domain/confidence";

// Worst first.
export const BLIND = 0;
export const FAILING = 1;
export const DELAYED = 2;
export const WELL = 3;

/** How urgent each connection is. A paused or starting one needs nothing. @param nowMs on the server's clock */
export function ranksOf(data: readonly ConnectionView[], nowMs: number): readonly number[] {
  return data.map((connection) => {
    const { reason } = connection;
    if (reason === "starting" || reason === "disconnected") return WELL;
    const confidence = confidenceNow(connection, nowMs);
    if (confidence === "blind") return BLIND;
    if (reason !== null) return FAILING;
    return confidence === "delayed" ? DELAYED : WELL;
  });
}

export const sameNumbers = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value, index) => value === b[index]);
