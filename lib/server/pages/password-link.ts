import { PASSWORD_PROBLEMS, type LinkState, type PasswordProblem } from "@/lib/contracts/people";
import { readPasswordLink } from "@/lib/server/operations/people/choose-password";
import { getRuntime } from "@/lib/server/running";

export type { LinkState };

/** What a link of an invitation or a reset leads to now. @throws while the database is away */
export function passwordLink(secret: string): Promise<LinkState> {
  return readPasswordLink(getRuntime(), secret);
}

/** Why a password was not taken, as the page's address says it. */
export function passwordProblem(given: string | string[] | undefined): PasswordProblem | null {
  return PASSWORD_PROBLEMS.find((word) => word === given) ?? null;
}
