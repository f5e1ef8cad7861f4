import { useState } from "react";

/** What a list draws: `key` is its own and stays, elements are shared by lines of one `kind`. */
type Line = { key: string; kind: string };

/** An element that draws a line: React's key of it, and the line. */
export type Seat<L extends Line> = { seat: number; line: L };

/** All that are drawn, top to bottom; `next` is the first number that no element has had. */
export type Seats<L extends Line> = { taken: readonly Seat<L>[]; next: number };

export const NO_SEATS = { taken: [], next: 0 } as const satisfies Seats<Line>;

/** Each line keeps the element that it had, wherever it stands now; others get new ones. */
export function seatSame<L extends Line>(before: Seats<L>, drawn: readonly L[]): Seats<L> {
  const had = new Map(before.taken.map(({ seat, line }) => [line.key, seat]));
  let { next } = before;
  const taken = drawn.map((line) => ({ seat: had.get(line.key) ?? next++, line }));
  return { taken, next };
}

/**
 * As many lines as possible take over an element of a line of their kind, in the order in which those
 * stand: no element moves, since a moved one costs a browser as much as a new one.
 * @param kept the line whose element must not become another's, because the focus may be in it
 */
export function seatAnew<L extends Line>(
  before: Seats<L>,
  drawn: readonly L[],
  kept: string | null,
): Seats<L> {
  const from = before.taken;
  const fits = (at: number, to: number) => {
    const [old, line] = [from[at]?.line, drawn[to]];
    if (old?.key === kept || line?.key === kept) return old?.key === line?.key;
    return old?.kind === line?.kind;
  };
  // The longest common subsequence: how many elements can stay from here on.
  const width = drawn.length + 1;
  const stays = new Uint16Array((from.length + 1) * width);
  const staying = (at: number, to: number) => stays[at * width + to] ?? 0;
  for (let at = from.length - 1; at >= 0; at -= 1) {
    for (let to = drawn.length - 1; to >= 0; to -= 1) {
      stays[at * width + to] = fits(at, to)
        ? 1 + staying(at + 1, to + 1)
        : Math.max(staying(at + 1, to), staying(at, to + 1));
    }
  }
  let { next } = before;
  let at = 0;
  const taken = drawn.map((line, to) => {
    while (at < from.length && !fits(at, to) && staying(at + 1, to) >= staying(at, to + 1)) at += 1;
    const old = from[at];
    if (old === undefined || !fits(at, to)) return { seat: next++, line };
    at += 1;
    return { seat: old.seat, line };
  });
  return { taken, next };
}

/** Of more lines, as on paper, it would take longer to find out than to draw them again. */
const MOST_LINES = 300;

/**
 * The elements of the lines that are drawn now. When a person asks for other lines, elements are given
 * other texts: creating them takes a browser several times as long. Otherwise each line has its own.
 * @param asked what the person asked for, as one text
 * @param activeKey the line that has, or had, the focus
 */
export function useSeats<L extends Line>(
  drawn: readonly L[],
  asked: string,
  activeKey: string | null,
): readonly Seat<L>[] {
  const [last, setLast] = useState(() => ({ drawn, asked, seats: seatSame<L>(NO_SEATS, drawn) }));
  if (last.drawn === drawn) return last.seats.taken;
  const mayReuse = last.asked !== asked && Math.max(drawn.length, last.drawn.length) <= MOST_LINES;
  const seats = mayReuse ? seatAnew(last.seats, drawn, activeKey) : seatSame(last.seats, drawn);
  // Setting state while rendering replaces this render before anything is drawn.
  setLast({ drawn, asked, seats });
  return seats.taken;
}
