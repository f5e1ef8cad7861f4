import { ApiError } from "@/lib/client/api";

/** Why something was not done; `unproven`: whoever asked has to prove first who they are. */
export type Refused = "needs-reauthentication" | { problem: string };

/** @param problem what a person reads where it is for any other reason */
export function refusedFor(error: unknown, problem: (error: unknown) => string): Refused {
  const isUnproven = error instanceof ApiError && error.code === "reauthentication_required";
  return isUnproven ? "needs-reauthentication" : { problem: problem(error) };
}
