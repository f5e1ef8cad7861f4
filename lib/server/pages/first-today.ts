import type { TodayView } from "@/lib/contracts/today";
import { firstScreen, type ShownToday, type TodayOrder } from "@/lib/domain/today/shown";
import type { Person } from "@/lib/server/auth/person";
import { ownName } from "@/lib/server/operations/me/own-name";
import { getToday } from "@/lib/server/operations/today/get-today";
import { ownCompanies } from "@/lib/server/operations/today/own-companies";
import { getRuntime } from "@/lib/server/running";
import { handledCompanies, visibleCompanies } from "./current-person";

/** Data of the first page's first render. */
export type FirstToday = {
  /** Null while the database is unavailable, and for a query that the API would refuse. */
  today: ShownToday | null;
  /** Our clock, epoch milliseconds. */
  nowMs: number;
  /** Poll rhythm, milliseconds. */
  rhythmMs: number;
  /** How long a feed is late before an incident opens, milliseconds. */
  openAfterMs: number;
  /** The person. `name` null: others have the same, or may have, so it doesn't tell them apart. */
  me: { id: string; name: string | null };
  /** Slugs of the companies whose incidents the person may handle. */
  handled: string[];
  /** Number of companies that the person owns or stands in for; null while the database is unavailable. */
  own: number | null;
};

/**
 * What is wrong at the companies of a person, as the API would return it now.
 * @param path the API address; only its query string counts
 */
export async function firstToday(
  person: Person,
  path: string,
  order: TodayOrder,
): Promise<FirstToday> {
  const runtime = getRuntime();
  const query = new URLSearchParams(path.split("?")[1]);
  const read = async () => getToday(runtime, { person, query, ifNoneMatch: null });
  const visible = visibleCompanies(person).map(({ slug }) => slug);
  const [answer, name, own] = await Promise.all([
    read().catch(() => null),
    ownName(runtime, person),
    ownCompanies(runtime, person, visible).catch(() => null),
  ]);
  const nowMs = runtime.clock.nowMs();
  const { pollSeconds, incidents } = runtime.config;
  return {
    today:
      answer?.body instanceof Uint8Array ? firstScreen(viewOf(answer.body), order, nowMs) : null,
    nowMs,
    me: { id: person.id, name },
    own,
    rhythmMs: pollSeconds * 1000,
    openAfterMs: incidents.opensAfterMs,
    handled: handledCompanies(person),
  };
}

/** The body is serialised once for all requests alike, so that is what pages share too. */
const viewOf = (body: Uint8Array) => JSON.parse(new TextDecoder().decode(body)) as TodayView;
