import type { FormProblem } from "@/components/ui/form/field-problem";
import { ApiError } from "@/lib/client/api";

/** Why a request was refused: it needs a recent sign-in, or what a form shows. */
export type Refused = "needs-reauthentication" | Exclude<FormProblem, string>;

/** What a form shows of it. */
export const formProblemIn = (refused: Refused | null) =>
  refused === "needs-reauthentication" ? null : refused;

/** The sentence to show; null: none, or the person is asked to reauthenticate. */
export function problemIn(refused: Refused | null): string | null {
  return refused === null || refused === "needs-reauthentication" ? null : refused.problem;
}

/** @param problemOf what is wrong if it isn't a missing recent sign-in */
export function refusedFor(error: unknown, problemOf: (error: unknown) => FormProblem): Refused {
  const isUnproven = error instanceof ApiError && error.code === "reauthentication_required";
  if (isUnproven) return "needs-reauthentication";
  const problem = problemOf(error);
  return typeof problem === "string" ? { problem } : problem;
}
