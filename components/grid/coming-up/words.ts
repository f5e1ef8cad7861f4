import type { NextAttempt } from "@/lib/domain/next-hour";
import { count, counted } from "@/lib/domain/words/format";

export const COMING_UP = "Coming up";
export const NOW = "now";
export const UNKNOWN = "not known";
export const totalText = (total: number) => `${counted(total, "sync")} in 1 h`;

/** "14:26 Procore, 2 feeds", "14:55 Sage 300 commitments" @param time of the attempt */
export const attemptText = ({ partner, feeds, endpointKey }: NextAttempt, time: string) =>
  endpointKey === null
    ? `${time} ${partner}, ${counted(feeds, "feed")}`
    : `${time} ${partner} ${endpointKey}`;

/** Of the blocks. @param first the first attempt: "14:26 Procore, 2 feeds"; null: none */
export const hourLabel = (total: number, behind: number, first: string | null) =>
  `Next hour: ${counted(total, "sync")}` +
  (behind === 0 || first === null
    ? ""
    : `, ${count(behind)} for feeds that are behind; the first of those at ${first}`);
