import { createContext, useContext } from "react";
import type { Verdict } from "@/lib/domain/sync";
import type { RunCounts } from "./runs-text";
import type { Sparkline } from "./sparkline";
import type { StripAxis } from "./strip";

/** The past day of one endpoint, prepared for rendering. */
export type Strip = {
  /** One character per slot, see `slotsAt`. */
  slots: string;
  /** Accessible name. */
  label: string;
  runs: RunCounts;
  calls: Sparkline;
  /** Its verdict on record and since when, epoch milliseconds; null: not on record. */
  verdict: Verdict;
  sinceMs: number | null;
};

export type Strips = {
  /** Null until the history is loaded. */
  axis: StripAxis | null;
  /** Null until the history is loaded, and for endpoints that it doesn't contain yet. */
  stripOf: (endpointId: string) => Strip | null;
};

export const StripsContext = createContext<Strips | null>(null);

/** Null where lines are shown without history. */
export const useStrips = (): Strips | null => useContext(StripsContext);
export const useStrip = (endpointId: string): Strip | null =>
  useStrips()?.stripOf(endpointId) ?? null;
