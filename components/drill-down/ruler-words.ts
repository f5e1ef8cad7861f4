import { duration, span } from "@/lib/domain/words/format";

/** The scale of the age, all in milliseconds. */
export function rulerLabel(
  ageMs: number,
  { dueMs, lateMs, staleMs }: { dueMs: number; lateMs: number; staleMs: number },
): string {
  return `Age ${duration(ageMs)} on a scale: due at ${span(dueMs)}, late from ${span(lateMs)}, stale from ${span(staleMs)}`;
}

export const rulerMarks = {
  due: (cadenceMs: number) => `due ${span(cadenceMs)}`,
  age: (ageMs: number) => duration(ageMs),
  ageOf: (ageMs: number, cadenceMs: number) => `${duration(ageMs)} of ${span(cadenceMs)}`,
};
