import { isTrouble } from "@/lib/domain/incidents/incident";
import type { Verdict } from "@/lib/domain/sync";
import type { Standing } from "./partner-at-company";

/** A company with a partner, as the JSON has it. */
type WithFeeds = {
  standing: Standing;
  /** Number of feeds in trouble in a planned quiet time, which come last. */
  quiet: number;
  endpoints: readonly { endpoint_key: string; verdict: Verdict }[];
};

/** Its row: the feeds as numbers, and the names of the worst that are in trouble. */
export type ShownRow<Company extends WithFeeds> = Omit<Company, "endpoints"> & {
  feeds: {
    total: number;
    /** In trouble outside of planned quiet times. */
    behind: number;
    /** Fresh or due, of those that are neither paused nor webhooks. */
    onTime: number;
    counted: number;
    names: string[];
  };
};

/** Numbers of companies, also of those that were cut off. */
export type StandingCounts = Record<Standing, number>;

export type ShownPartner<Company extends WithFeeds, View> = Omit<View, "companies"> & {
  counts: StandingCounts;
  /** Number of unknown feeds at the companies that are behind, in planned quiet or on time. */
  unknownFeeds: number;
  /** Behind, not seen, not to be judged or in planned quiet, in this order. */
  trouble: ShownRow<Company>[];
  onTime: ShownRow<Company>[];
  /** Numbers of rows that were cut off. */
  cut: { trouble: number; onTime: number };
};

const NAMES = 2;
/** What fits on a large screen, with some more to scroll. */
const MAX_ROWS = 40;

/** The view as a page shows it. Companies where all feeds are paused are only counted. */
export function shownPartner<
  Company extends WithFeeds,
  View extends { companies: readonly Company[] },
>({ companies, ...rest }: View): ShownPartner<Company, View> {
  const counts: StandingCounts = {
    behind: 0,
    unseen: 0,
    cannot_judge: 0,
    quiet: 0,
    on_time: 0,
    paused: 0,
  };
  const trouble: ShownRow<Company>[] = [];
  const onTime: ShownRow<Company>[] = [];
  let unknownFeeds = 0;
  for (const company of companies) {
    const { standing } = company;
    counts[standing] += 1;
    if (standing === "behind" || standing === "quiet" || standing === "on_time")
      unknownFeeds += amountOf(company.endpoints, "unknown");
    if (standing === "on_time") onTime.push(rowOf(company));
    else if (standing !== "paused") trouble.push(rowOf(company));
  }
  return { ...rest, counts, unknownFeeds, trouble, onTime, cut: { trouble: 0, onTime: 0 } };
}

/** The part that comes with a page; the browser requests the whole. */
export function firstRows<Company extends WithFeeds, View>(
  shown: ShownPartner<Company, View>,
): ShownPartner<Company, View> {
  const [trouble, onTime] = [shown.trouble.slice(0, MAX_ROWS), shown.onTime.slice(0, MAX_ROWS)];
  return {
    ...shown,
    trouble,
    onTime,
    cut: {
      trouble: shown.trouble.length - trouble.length,
      onTime: shown.onTime.length - onTime.length,
    },
  };
}

function rowOf<Company extends WithFeeds>({ endpoints, ...company }: Company): ShownRow<Company> {
  const behind = endpoints
    .slice(0, endpoints.length - company.quiet)
    .filter(({ verdict }) => isTrouble(verdict));
  const amount = (...words: Verdict[]) => amountOf(endpoints, ...words);
  return {
    ...company,
    feeds: {
      total: endpoints.length,
      behind: behind.length,
      onTime: amount("fresh", "due"),
      counted: endpoints.length - amount("paused", "webhook"),
      names: behind.slice(0, NAMES).map(({ endpoint_key: name }) => name),
    },
  };
}

const amountOf = (endpoints: WithFeeds["endpoints"], ...words: Verdict[]) =>
  endpoints.filter(({ verdict }) => words.includes(verdict)).length;
