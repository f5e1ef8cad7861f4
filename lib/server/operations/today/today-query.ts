import { TROUBLES, type Trouble } from "@/lib/domain/incidents/incident";
import { needlesOf } from "@/lib/domain/text/fold-text";
import type { TodayFilters } from "@/lib/domain/today/today";
import { hasRight } from "@/lib/domain/rights";
import type { Person } from "@/lib/server/auth/person";
import { flag, invalid, isUuid, search, text } from "@/lib/server/http/query";

/**
 * The filters of a request.
 * @param companies slugs of those that the person may see
 * @throws Failure `invalid_request`
 */
export function todayFilters(
  query: URLSearchParams,
  person: Pick<Person, "id" | "grants">,
  companies: readonly string[],
): TodayFilters {
  const ownerId = text(query, "owner");
  if (ownerId !== null && !isUuid(ownerId)) throw invalid("owner", "must be the id of a person");
  return {
    verdicts: verdictsOf(query),
    mine: flag(query, "mine")
      ? {
          personId: person.id,
          companies: new Set(
            companies.filter((slug) => hasRight(person.grants, "handle-incidents", slug)),
          ),
        }
      : null,
    isUnattended: flag(query, "unattended"),
    ownerId: ownerId?.toLowerCase() ?? null,
    partner: text(query, "partner"),
    needles: needlesOf(search(query, "q") ?? ""),
  };
}

function verdictsOf(query: URLSearchParams): Trouble[] | null {
  const given = text(query, "verdict");
  if (given === null) return null;
  const words = given.split(",").map((word) => TROUBLES.find((known) => known === word));
  const isKnown = (word: Trouble | undefined): word is Trouble => word !== undefined;
  if (!words.every(isKnown)) throw invalid("verdict", `must be some of ${TROUBLES.join(", ")}`);
  return [...new Set(words)];
}

/** Filters as text: the same for filters that leave the same feeds. */
export function filtersKey({ verdicts, mine, ...others }: TodayFilters): string {
  return JSON.stringify([
    verdicts?.toSorted() ?? null,
    mine === null ? null : [mine.personId, ...mine.companies],
    others,
  ]);
}
