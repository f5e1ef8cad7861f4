import type { Counts } from "@/lib/domain/order";
import type { Judged } from "./problem";
import type { WallSpace } from "./layout/space";
import type { Trust } from "./trust";

/** All inputs of a picture. */
export type Scene = {
  trusts: readonly Trust[];
  /** Names of configured companies that are no longer polled. */
  gone: readonly string[];
  /** Companies that the counts cover. */
  counted: readonly Trust[];
  /** Companies that aren't blind. */
  seen: readonly Trust[];
  judged: readonly Judged[];
  counts: Counts;
  space: WallSpace;
  hasBand: boolean;
  when: When;
};

/** `nowMs`: epoch milliseconds; `timeZone`: IANA name. */
export type When = { nowMs: number; timeZone: string };

/** Tiles have their own dates unless the head has one for all. */
export function hasNotes({ trusts, hasBand }: Scene): boolean {
  return hasBand || (trusts.length > 1 && trusts.some(({ state }) => state !== "live"));
}
