import { ApiError } from "@/lib/client/api";

/** Why a request was refused: it needs a recent sign-in, or `problem`, a sentence. */
export type Refused = "needs-reauthentication" | { problem: string };

/** The sentence to show; null: none, or the person is asked to reauthenticate. */
export function problemIn(refused: Refused | null): string | null {
  return refused === null || refused === "needs-reauthentication" ? null : refused.problem;
}

/** @param problem sentence for errors other than a missing recent sign-in */
export function refusedFor(error: unknown, problem: (error: unknown) => string): Refused {
  const isUnproven = error instanceof ApiError && error.code === "reauthentication_required";
  return isUnproven ? "needs-reauthentication" : { problem: problem(error) };
}
