import { OPEN_LISTS } from "@/lib/contracts/lists/open-lists";
import { canSeeBudget, type Person } from "@/lib/server/auth/person";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { answerBoardAt } from "@/lib/server/operations/history/get-board-at";
import { answerIncidents } from "@/lib/server/operations/incidents/list-incidents";
import { listExpectations } from "@/lib/server/operations/quiet/expectations";
import { getSyncStatus } from "./get-sync-status";

type BoardRuntime = Parameters<typeof answerBoardAt>[0] &
  Parameters<typeof getSyncStatus>[0] &
  Parameters<typeof answerIncidents>[0];

type Asked = {
  person: Person;
  company: string;
  query: URLSearchParams;
  ifNoneMatch: string | null;
};

/**
 * Answers `GET /api/companies/[company]/sync-status`: as of the instant in `?at=`, or as of now, then with the headers of
 * `OPEN_LISTS`.
 */
export function getBoard(runtime: BoardRuntime, asked: Asked): MaybePromise<PlainResponse> {
  const { person, company, query, ifNoneMatch } = asked;
  if (query.has("at")) return answerBoardAt(runtime, { company, query });
  return andThen(etagsOf(runtime, asked), (etags) => {
    const seesBudget = canSeeBudget(person);
    const answer = getSyncStatus(runtime, { company, ifNoneMatch, seesBudget });
    return { ...answer, headers: { ...answer.headers, ...etags } };
  });
}

const { incidents, quiet } = OPEN_LISTS;
const OPEN_INCIDENTS = new URLSearchParams(incidents.query);
const QUIET_TIMES = new URLSearchParams(quiet.query);

/** The headers of `OPEN_LISTS`; those of what can't be read now are empty. Never throws. */
function etagsOf(
  runtime: BoardRuntime,
  { person, company }: Asked,
): MaybePromise<Record<string, string>> {
  const given = { person, company, ifNoneMatch: null };
  const ofIncidents = etagOf(() => answerIncidents(runtime, { ...given, query: OPEN_INCIDENTS }));
  const ofQuiet = etagOf(() => listExpectations(runtime, { ...given, query: QUIET_TIMES }));
  return andThen(ofIncidents, (first) =>
    andThen(ofQuiet, (second) => ({ [incidents.header]: first, [quiet.header]: second })),
  );
}

function etagOf(answer: () => MaybePromise<object>): MaybePromise<string> {
  const read = (made: object) =>
    "headers" in made ? ((made as PlainResponse).headers["etag"] ?? "") : "";
  try {
    const made = answer();
    return made instanceof Promise ? made.then(read, () => "") : read(made);
  } catch {
    return "";
  }
}
