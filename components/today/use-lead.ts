import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import type { ShownToday } from "@/lib/domain/today/shown";
import { atMoment, datedMoment } from "@/lib/domain/words/dates";
import { duration, moment } from "@/lib/domain/words/format";
import { isFiltered, type TodayState } from "./today-url";
import { useFresh } from "./well-list";
import {
  lead as words,
  leadParts,
  notes as noteWords,
  promisesText,
  type TodayPart,
} from "./words";

export type LeadGiven = {
  /** Null: none yet. */
  today: ShownToday | null;
  state: TodayState;
  /** Number of customers that the person may see. */
  customers: number;
  /** Of them, those that the person owns or stands in for; null: unknown. */
  own: number | null;
  /** The instant that is shown, epoch milliseconds on our clock; null: now. */
  frozenMs: number | null;
  hasFailed: boolean;
  isRefused: boolean;
};

/** Whether the shown instant is before the history of all companies that the person may see. */
export function isBeforeHistory(
  { recorded_from: recordedFrom }: ShownToday,
  frozenMs: number | null,
): boolean {
  if (frozenMs === null || recordedFrom === undefined) return false;
  return (instantMs(recordedFrom) ?? Infinity) > frozenMs;
}

/** A remark of the second line. */
type Note = { key: string; mark: "hatched" | "hollow" | "missed" | "at_risk" | null; text: string };

/**
 * The sentence of the page, the remarks below it, and the sentence for the tab's title.
 * @param given.isRefused the server refused the filters or the instant
 */
export function useLead({ today, state, customers, frozenMs, hasFailed, isRefused }: LeadGiven): {
  parts: readonly TodayPart[];
  notes: readonly Note[];
  sentence: string;
} {
  const timeZone = useZone();
  const counts = today?.counts ?? null;
  const fresh = useFresh(today?.as_of ?? null, frozenMs);
  const nextMs = instantMs(counts?.next_attempt_at ?? null);
  const next = useNow((nowMs) => (nextMs === null ? null : moment(nextMs, nowMs, timeZone)));
  const was = useNow((nowMs) => (frozenMs === null ? null : atMoment(frozenMs, nowMs, timeZone)));
  const [unseen] = today?.unseen ?? [];
  const unseenMs = instantMs(unseen?.since ?? null);
  const unseenSince = useNow((nowMs) =>
    unseenMs === null ? null : datedMoment(unseenMs, nowMs, timeZone),
  );
  const asOfMs = instantMs(today?.as_of ?? null);
  const behindBy = useNow((nowMs) =>
    asOfMs === null ? "" : duration(Math.max(0, (frozenMs ?? nowMs) - asOfMs)),
  );
  const noHistory = useNow((nowMs) =>
    frozenMs === null ? "" : words.noHistory(datedMoment(frozenMs, nowMs, timeZone)),
  );
  const promises = today?.promises ?? null;
  const promised = useNow((nowMs) =>
    promises === null
      ? ""
      : promisesText(promises, today?.api_clock_offsets ?? {}, {
          nowMs: frozenMs ?? nowMs,
          timeZone,
        }),
  );
  if (today === null || counts === null) {
    const waiting = hasFailed ? words.notLoaded : words.loading;
    const text = isRefused ? words.refused : waiting;
    return { parts: [{ text, does: null }], notes: [], sentence: text };
  }
  if (isBeforeHistory(today, frozenMs))
    return { parts: [{ text: noHistory, does: null }], notes: [], sentence: noHistory };
  const given = {
    customers: Math.max(
      customers - counts.unseen_companies,
      today.well.length + today.cut.well + today.cannot_judge.length,
    ),
    isFiltered: isFiltered(state),
    hasOthers: today.well.length + today.cannot_judge.length > 0,
    next,
    fresh,
    was,
  };
  const { unseen_companies: blind, delayed, cannot_judge: unknown, quiet } = counts;
  const isPast = frozenMs !== null;
  const notes: Note[] = [];
  if (blind > 0) {
    const one = blind === 1 && unseen !== undefined;
    const which = one ? noteWords.unseenOne(unseen.company.name, unseenSince) : "";
    const text = noteWords.unseen(blind, isPast) + which;
    notes.push({ key: "unseen", mark: "hatched", text });
  }
  if (promised !== "")
    notes.push({
      key: "promises",
      mark: today.promises.missed > 0 ? "missed" : "at_risk",
      text: promised,
    });
  if (delayed > 0)
    notes.push({ key: "delayed", mark: "hollow", text: noteWords.delayed(delayed, behindBy) });
  if (unknown > 0)
    notes.push({ key: "unknown", mark: null, text: noteWords.cannotJudge(unknown, isPast) });
  if (quiet > 0) notes.push({ key: "quiet", mark: null, text: noteWords.quiet(quiet) });
  return {
    parts: leadParts(counts, given),
    notes,
    sentence: words.counted(counts, given),
  };
}
