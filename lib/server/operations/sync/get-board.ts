import { canSeeBudget, type Person } from "@/lib/server/auth/person";
import type { PlainAnswer } from "@/lib/server/http/answer";
import type { MaybePromise } from "@/lib/server/maybe-promise";
import { answerBoardAt } from "@/lib/server/operations/history/get-board-at";
import { getSyncStatus } from "./get-sync-status";

type BoardRuntime = Parameters<typeof answerBoardAt>[0] & Parameters<typeof getSyncStatus>[0];

/** Answers `GET /api/companies/[company]/sync-status`: as of now, or as of the instant in `?at=`. */
export function getBoard(
  runtime: BoardRuntime,
  {
    person,
    company,
    query,
    ifNoneMatch,
  }: {
    person: Pick<Person, "grants">;
    company: string;
    query: URLSearchParams;
    ifNoneMatch: string | null;
  },
): MaybePromise<PlainAnswer> {
  return query.has("at")
    ? answerBoardAt(runtime, { company, query })
    : getSyncStatus(runtime, { company, ifNoneMatch, seesBudget: canSeeBudget(person) });
}
