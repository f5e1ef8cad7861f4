import type { JudgedRow } from "@/components/drill-down/partner-rows";
import { shiftedMs } from "@/lib/domain/learned-week/rest";
import { duration } from "@/lib/domain/words/format";
import { datedMoment } from "@/lib/domain/words/dates";
import { overdueNotes } from "./words";

/** Lateness of an endpoint, as one of its figures. */
type OverdueFigure = {
  value: string;
  note: string;
  /** When its data was or is due, epoch milliseconds on the API's clock; null when unknown. */
  dueMs: number | null;
  isOverdue: boolean;
};

/**
 * Without a due time the figure is why there is none: "no" would be a claim.
 * @param when `judgedMs`: the moment that the endpoint was judged at; `nowMs`: the present, for
 *   naming days
 */
export function overdueFigure(
  {
    row,
    word,
    judgement: { terms },
  }: Pick<JudgedRow, "word" | "judgement"> & { row: { status: string } },
  when: { judgedMs: number; nowMs: number; timeZone: string },
): OverdueFigure {
  const none = (value: string, note = "") => ({ value, note, dueMs: null, isOverdue: false });
  if (word === "paused") return none(overdueNotes.paused);
  if (row.status === "webhook") return none(overdueNotes.webhook);
  if (word === "unknown") return none(overdueNotes.notKnown);
  const { latenessMs, landingMs } = terms;
  if (latenessMs === null)
    return none(overdueNotes.notKnown, landingMs === null ? overdueNotes.noData : "");
  const dueMs = shiftedMs(terms.rests, when.judgedMs, -latenessMs);
  const at = datedMoment(dueMs, when.nowMs, when.timeZone);
  return latenessMs > 0
    ? { value: duration(latenessMs), note: overdueNotes.since(at), dueMs, isOverdue: true }
    : { value: overdueNotes.no, note: overdueNotes.due(at), dueMs, isOverdue: false };
}
