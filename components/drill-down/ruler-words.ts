import { duration, span } from "@/lib/domain/words/format";

/** What is drawn of an age, in milliseconds. */
export type DrawnAge = {
  ageMs: number;
  /** The part that is drawn: without quiet time of a learned week. */
  countedMs: number;
};

/** "20 m"; "20 m counted" where that isn't the whole age. */
function drawnText({ ageMs, countedMs }: DrawnAge): string {
  return countedMs === ageMs ? duration(ageMs) : `${duration(countedMs)} counted`;
}

/** The scale of the age, all in milliseconds. */
export function rulerLabel(
  age: DrawnAge,
  { dueMs, lateMs, staleMs }: { dueMs: number; lateMs: number; staleMs: number },
): string {
  const whole = age.countedMs === age.ageMs ? "" : ` of ${duration(age.ageMs)}`;
  return `Age ${drawnText(age)}${whole} on a scale: due at ${span(dueMs)}, late from ${span(lateMs)}, stale from ${span(staleMs)}`;
}

export const rulerMarks = {
  due: (cadenceMs: number) => `due ${span(cadenceMs)}`,
  age: drawnText,
  /** "20 m of 1 h"; "20 m of 1 h counted" */
  ageOf: ({ ageMs, countedMs }: DrawnAge, cadenceMs: number) =>
    `${duration(countedMs)} of ${span(cadenceMs)}${countedMs === ageMs ? "" : " counted"}`,
};
