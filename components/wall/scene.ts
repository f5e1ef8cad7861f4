import type { Counts } from "@/lib/domain/order";
import { VERDICTS } from "@/lib/domain/sync";
import type { Judged } from "./problem";
import type { WallSpace } from "./space";
import type { Trust } from "./trust";

/** All that a picture is decided from. */
export type Scene = {
  trusts: readonly Trust[];
  /** Names of companies that are to be shown and are read no more. */
  gone: readonly string[];
  /** Those that the counts tell of. */
  told: readonly Trust[];
  /** Those that we see now. */
  seen: readonly Trust[];
  judged: readonly Judged[];
  counts: Counts;
  space: WallSpace;
  hasBand: boolean;
  when: When;
};

/** `nowMs`: epoch milliseconds; `timeZone`: IANA name. */
export type When = { nowMs: number; timeZone: string };

export function totalOf(counts: Counts): number {
  return VERDICTS.reduce((sum, word) => sum + counts[word], 0);
}

/** Tiles say as of when they are, where the head does not say it for all of them. */
export function hasNotes({ trusts, hasBand }: Scene): boolean {
  return hasBand || (trusts.length > 1 && trusts.some(({ state }) => state !== "live"));
}
