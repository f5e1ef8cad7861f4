import type { Today, WellCompany } from "./today";
import type { TodayLine } from "./lines";

/** A line with the numbers that its row shows, which remain when its members are cut. */
export type ShownLine = TodayLine & {
  /** Unique, and the same in later responses. */
  key: string;
  feeds: number;
  companies: number;
  /** Number of its acknowledged incidents. */
  acknowledged: number;
  /** Companies that were told of all of its incidents there, and when the last one was, ISO 8601; null: none was. */
  told: { companies: number; at: string } | null;
};

/** The view as a page shows it. */
export type ShownToday = Omit<Today, "lines"> & {
  lines: ShownLine[];
  /** Numbers of lines and well companies that were cut off. */
  cut: { lines: number; well: number };
};

/** Orders of the lines. */
export const TODAY_ORDERS = ["worst", "next"] as const;
export type TodayOrder = (typeof TODAY_ORDERS)[number];

/** What fits on a large screen, with some more to scroll. */
const MAX_LINES = 40;
const MAX_MEMBERS = 3;

export function shownToday({ lines, ...rest }: Today): ShownToday {
  return { ...rest, lines: lines.map(shownLine), cut: { lines: 0, well: 0 } };
}

/** The part of a view that comes with a page; the browser requests the whole. */
export function firstScreen(today: Today, order: TodayOrder, atMs: number): ShownToday {
  const all = shownToday(today);
  const lines = orderedLines(all.lines, order, atMs).slice(0, MAX_LINES);
  const well: WellCompany[] = all.well.slice(0, MAX_LINES);
  return {
    ...all,
    lines: lines.map((line) => ({ ...line, members: line.members.slice(0, MAX_MEMBERS) })),
    well,
    cut: { lines: all.lines.length - lines.length, well: all.well.length - well.length },
  };
}

/**
 * @param lines worst first
 * @param order "next": the soonest future sync first; then those whose time has passed, then those without one
 * @param atMs epoch milliseconds
 */
export function orderedLines(
  lines: readonly ShownLine[],
  order: TodayOrder,
  atMs: number,
): readonly ShownLine[] {
  if (order === "worst") return lines;
  const rankOf = ({ next_sync_at: next }: ShownLine): readonly [group: number, ms: number] => {
    if (next === null) return [2, 0];
    const ms = Date.parse(next);
    return [ms > atMs ? 0 : 1, ms];
  };
  const ranked = lines.map((line) => ({ line, rank: rankOf(line) }));
  return ranked
    .toSorted((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])
    .map(({ line }) => line);
}

function shownLine(line: TodayLine): ShownLine {
  const { kind, partner_name: partner, members } = line;
  const [first] = members;
  const incidents = new Map(
    members.map(({ company, incident_id: id, on_it: by }) => [`${company.slug} ${id}`, by]),
  );
  const toldBy = new Map<string, string | null>();
  for (const { company, told_at: at } of members) {
    const other = toldBy.get(company.slug);
    toldBy.set(company.slug, other === undefined ? at : laterOf(other, at));
  }
  const told = [...toldBy.values()].filter((at) => at !== null).toSorted();
  const lastTold = told.at(-1);
  const own = `${first?.company.slug} ${kind === "incident" ? first?.incident_id : first?.endpoint_id}`;
  return {
    ...line,
    key: kind === "partner" ? `partner:${partner}` : `${kind}:${own}`,
    feeds: members.length,
    companies: new Set(members.map(({ company }) => company.slug)).size,
    acknowledged: [...incidents.values()].filter((by) => by !== null).length,
    told: lastTold === undefined ? null : { companies: told.length, at: lastTold },
  };
}

/** Null unless there are both: a customer that wasn't told of everything wasn't told. */
const laterOf = (a: string | null, b: string | null) =>
  a === null || b === null ? null : a > b ? a : b;
