import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { OpenIncident } from "@/components/marks/open-incident";
import { activeOf, type Planned } from "@/components/quiet/covered";
import { tallyPromises, type PromiseTally } from "@/lib/domain/deadlines/promise-tally";
import { nextAttemptMs, nextHour, type NextHour } from "@/lib/domain/next-hour";
import { placeRows } from "@/lib/domain/order";
import { verdictsOf, momentOf } from "@/lib/domain/judge";
import { areOpenAtFirst, buildBoardLines, isPartnerOpen, type Board, type Line } from "./board";
import type { BoardState } from "./board-url";
import { attendedIds, countUnattended, outsideQuiet } from "./lead/behind";

/** Fills a common screen; more would delay the first paint, and the browser fetches the rest. */
const LINES = 32;
/** More discs than this on a folded line can't be distinguished. */
const FOLDED_ROWS = 24;
/** Scheduled syncs of a folded partner, of which the first future one is shown. */
const SYNCS = 4;

/** What the sentence above the board says besides its counts. */
export type LeadFacts = {
  /** Feeds in trouble in a planned quiet time: they aren't behind. */
  quiet: number;
  /** The first future sync of a feed that is behind, the API's clock; null: none. */
  nextAttemptMs: number | null;
  /** Feeds behind without an acknowledged incident; null: not known. */
  unattended: number | null;
  promises: PromiseTally;
};

/**
 * The server-rendered part of a board: its counts and first lines, so that five thousand rows
 * neither travel twice nor delay the first paint. `lineCount` covers the whole board; `isFrozen`:
 * blind, so its counts are past.
 */
export type FirstScreen = Board & {
  lineCount: number;
  isFrozen: boolean;
  lead: LeadFacts;
  hour: NextHour;
};

/**
 * @param known.incidents the open ones; null: not known
 * @param known.quiet planned quiet times; null: not known
 * @param nowMs the server's clock, epoch milliseconds
 */
export function firstScreen(
  view: SyncStatusView,
  state: BoardState,
  { incidents, quiet }: { incidents: readonly OpenIncident[] | null; quiet: Planned | null },
  nowMs: number,
): FirstScreen {
  const moment = momentOf(view, nowMs);
  const placed = placeRows(view.rows, moment, state);
  const verdicts = verdictsOf(view.rows, moment);
  const counted = outsideQuiet(view.rows, verdicts, activeOf(quiet?.all ?? [], moment.atMs));
  const attended = attendedIds(incidents ?? []);
  const board = buildBoardLines(placed, verdicts, state, {
    isAttended: ({ id }) => attended.has(id),
    counted,
  });
  const lines = board.lines.slice(0, LINES).map((line) => shorten(line, moment.atMs));
  const countedOf = ({ id }: { id: string }) => counted.get(id);
  return {
    ...board,
    lines,
    // The browser loads all rows itself.
    matches: [],
    lineCount: board.lines.length,
    isFrozen: moment.isFrozen,
    lead: {
      quiet: verdicts.size - counted.size,
      nextAttemptMs: nextAttemptMs(view.rows, countedOf, moment.atMs),
      unattended: incidents === null ? null : countUnattended(counted, attended),
      promises: tallyPromises(view.rows),
    },
    hour: nextHour(view.rows, countedOf, moment.atMs),
  };
}

/**
 * First lines with the partners expanded and collapsed as in `state`, whose filters are theirs. The endpoints of a
 * partner that was collapsed on the server are missing until the browser has all rows.
 */
export function refold(lines: readonly Line[], state: BoardState): readonly Line[] {
  return lines.flatMap((line): Line | [] => {
    if (line.kind === "section") return { ...line, isOpen: areOpenAtFirst(state) };
    if (line.kind === "group") return { ...line, isOpen: isPartnerOpen(line.partner, state) };
    const partner =
      line.kind === "fold" ? line.partner : line.isInGroup ? line.row.partner_name : null;
    return partner === null || isPartnerOpen(partner, state) ? line : [];
  });
}

function shorten(line: Line, atMs: number): Line {
  if (line.kind === "fold") return { ...line, rows: line.rows.slice(0, FOLDED_ROWS) };
  if (line.kind !== "group") return line;
  const ahead = line.nextMs.filter((ms) => ms > atMs).slice(0, SYNCS);
  return { ...line, nextMs: ahead.length === 0 ? line.nextMs.slice(-1) : ahead };
}
