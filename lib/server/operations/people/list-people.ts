import type { PeopleView, PersonEntry } from "@/lib/contracts/people";
import { PEOPLE_FILTERS, type PeopleFilter } from "@/lib/domain/people-filters";
import { compareText } from "@/lib/domain/text/compare-text";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice, search } from "@/lib/server/http/query";
import {
  readEverybody,
  readFacts,
  type ListedPerson,
} from "@/lib/server/store/people/administration";
import {
  isAdministrator,
  personView,
  statusOf,
  type PeopleRuntime,
  type WithAccess,
} from "./person-view";

/**
 * One page of people who may sign in, by name: `GET /api/people?page&per_page&q&which`.
 * @throws Failure `invalid_request`
 */
export async function listPeople(
  runtime: Pick<PeopleRuntime, "database" | "auth" | "config">,
  { query }: { query: URLSearchParams },
): Promise<PeopleView> {
  const place = readPageRequest(query);
  const needles = needlesOf(search(query, "q") ?? "");
  const which = choice(query, "which", PEOPLE_FILTERS);
  const everybody = await readEverybody(runtime.database);
  const found = everybody
    .filter((person) => which === null || isOf(which, person, runtime))
    .filter(({ name, email }) => {
      const words = foldText(`${name} ${email}`);
      return includesAll(words, needles);
    })
    .toSorted((a, b) => compareText(sortedBy(a), sortedBy(b)));
  const { offset, limit } = offsetAndLimit(place);
  const shown = found.slice(offset, offset + limit);
  const { judgedMs } = await runtime.auth.time.now();
  const ids = shown.map(({ id }) => id);
  const facts = await readFacts(runtime.database, ids, judgedMs);
  const count = (status: PersonEntry["status"]) =>
    everybody.filter((person) => statusOf(person) === status).length;
  return {
    data: shown.flatMap((person) => {
      const known = facts.get(person.id);
      return known === undefined ? [] : [personView(runtime, person, known)];
    }),
    meta: pageMeta(place, found.length),
    counts: { active: count("active"), invited: count("invited"), disabled: count("disabled") },
  };
}

const sortedBy = ({ name, email }: ListedPerson) => foldText(`${name} ${email}`);

function isOf(which: PeopleFilter, person: ListedPerson, runtime: WithAccess): boolean {
  if (which === "local") return person.issuer === null;
  if (which === "disabled") return person.isDisabled;
  return !person.isDisabled && isAdministrator(runtime, person);
}
