import { PASSWORD_PROBLEMS, type LinkState, type PasswordProblem } from "@/lib/contracts/people";
import { readPasswordLink } from "@/lib/server/operations/people/choose-password";
import { getRuntime } from "@/lib/server/running";

export type { LinkState };

/** The current state of an invitation or reset link. @throws while the database is unavailable */
export function passwordLink(secret: string): Promise<LinkState> {
  return readPasswordLink(getRuntime(), secret);
}

/** Why a password was rejected, from the page's address. */
export function passwordProblem(given: string | string[] | undefined): PasswordProblem | null {
  return PASSWORD_PROBLEMS.find((word) => word === given) ?? null;
}
