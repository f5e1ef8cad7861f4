import { MINUTE_MS } from "@/lib/domain/time/units";
import { afterQuiet } from "./quiet-hours";
import type { Rule } from "./rule";

/**
 * One cause, one message: messages about several incidents, or several companies that can't be seen, instead of one about
 * each. Instants are epoch milliseconds on one axis.
 */

/** Fewer are no group: each is reported individually. */
const MIN_PARTS = 2;
/** After a group grew or got worse, how long the only message that says so waits for more. */
const COLLECT_MS = 2 * MINUTE_MS;
/** Shortest time between two edits of a message. */
const EDIT_MS = 10_000;

/** Something that opens and ends, and may be reported in a group. */
export type Part = {
  /** Unique in its group. */
  id: string;
  /** What is counted: parts of the same subject are one. */
  subject: string;
  /** When it came to the group, as far as the destination may know. */
  joinedMs: number;
  /** When that was known in truth: its individual opening may have been sent until then. */
  knownMs: number;
  /** When a rule first wanted it reported, but for the wait; infinite: never. */
  wantedMs: number;
  /** When its individual opening is due; infinite: it isn't. */
  openingMs: number;
  /** When it was over; null: it lasts. */
  closedMs: number | null;
  /** When its ending is due, possibly after quiet hours; null: it lasts. */
  endingMs: number | null;
  /** When it was left to go on alone; null: it wasn't. */
  aloneMs: number | null;
  /** When it got worse. */
  worseMs: readonly number[];
  /** When anything about it changed. */
  changesMs: readonly number[];
  /** Those that cover it: what happens in their quiet hours is told at their end. */
  rules: readonly Pick<Rule, "quiet">[];
  /** How its opening and its ending were sent; null: not yet. */
  opening: Sent | null;
  ending: Sent | null;
};

/** A message that was sent. `groupMs`: the group whose message included it, by its opening; null: none. */
export type Sent = { dueMs: number; groupMs: number | null };

/** What was written about a group before, by its opening: when its last message was due, and which kinds there were. */
export type Written = { lastMs: number; isChangeTold: boolean; isOver: boolean };

/** Which changes are reported between a group's opening and its end. */
export type Changes = "none" | "one" | "edits";

/**
 * A message about a group. `opens` and `ends`: parts whose opening or ending it includes. `told`: those whose opening it or
 * an earlier message includes.
 */
export type GroupMessage<P extends Part> = {
  tells: "opened" | "changed" | "ended";
  dueMs: number;
  told: ReadonlySet<P>;
  opens: readonly P[];
  ends: readonly P[];
};

/** The time in which a part isn't reported individually. */
export type Carried = { fromMs: number; untilMs: number };

export type Group<P extends Part> = {
  /** When it is reported first; identifies it among those of the same cause and destination. */
  openedMs: number;
  parts: readonly P[];
  /** Due and not written yet. */
  messages: readonly GroupMessage<P>[];
  /** Parts that it reports, by id. */
  carried: ReadonlyMap<string, Carried>;
};

/**
 * Plans what a destination is told about groups of one cause. Pure: the same record and the same messages written before
 * give the same ones again. While at least two subjects are in trouble together, their openings and endings are included
 * in the group's messages; what was opened individually before is ended by the next of them. When all parts have ended,
 * or were left to go on alone, the group is over; later ones are another group.
 * @param given.readyMs its opening isn't due before; null: when the first individual opening would be
 * @param given.written by the group's opening
 * @param given.isComplete false: some of its parts can't be read, so it isn't told to be over
 * @returns also groups that aren't due to be reported yet. `nextMs`: when more may be due if nothing else happens
 * and these are written; infinite: never
 */
export function planGroups<P extends Part>(
  parts: readonly P[],
  given: {
    readyMs: number | null;
    changes: Changes;
    written: ReadonlyMap<number, Written>;
    isComplete: boolean;
    nowMs: number;
  },
): { groups: Group<P>[]; nextMs: number } {
  const over = [...given.written].flatMap(([openedMs, { isOver, lastMs }]) =>
    isOver ? groupThatIsOver(parts, { openedMs, lastMs }) : [],
  );
  const isIn = new Set(over.flatMap((group) => group.parts));
  const left = parts.filter((part) => !isIn.has(part) && part.ending?.groupMs !== null);
  const open = episodesOf(left).flatMap((episode) => {
    const openedMs = reportedMs(episode, given.written) ?? openingOf(episode, given.readyMs);
    if (openedMs === null) return [];
    const own = episode.filter((part) => isToldIn(part, openedMs) || endMs(part) > openedMs);
    const { messages, nextMs } = messagesOf(openedMs, own, given);
    const overMs = Math.max(openedMs, ...own.map(endMs));
    const carried = carriedIn(episode, { openedMs, overMs, own, isOver: false });
    return { openedMs, parts: own, messages, carried, nextMs };
  });
  const isPlanned = new Set(open.map(({ openedMs }) => openedMs));
  const endedAlone = [...given.written].flatMap(([openedMs, { isOver, lastMs }]) =>
    isOver || isPlanned.has(openedMs) ? [] : groupEndedAlone(parts, { ...given, openedMs, lastMs }),
  );
  const going = [...open, ...endedAlone];
  return {
    groups: [...over, ...going],
    nextMs: Math.min(Infinity, ...going.map(({ nextMs }) => nextMs)),
  };
}

/**
 * A group whose parts were all ended individually, because a clock was set back to before it was reported: what told of it
 * has an ending, too.
 */
function groupEndedAlone<P extends Part>(
  all: readonly P[],
  {
    openedMs,
    lastMs,
    isComplete,
    nowMs,
  }: { openedMs: number; lastMs: number; isComplete: boolean; nowMs: number },
): (Group<P> & { nextMs: number })[] {
  const parts = all.filter((part) => isToldIn(part, openedMs));
  if (parts.length === 0 || parts.some(({ ending }) => ending === null)) return [];
  const dueMs = Math.max(lastMs, ...parts.map(({ endingMs }) => endingMs ?? Infinity));
  const isDue = isComplete && dueMs <= nowMs;
  const ended = { tells: "ended", dueMs, told: new Set(parts), opens: [], ends: [] } as const;
  return [
    {
      openedMs,
      parts,
      messages: isDue ? [ended] : [],
      carried: new Map(),
      nextMs: isDue ? nowMs : firstAfter(nowMs, [dueMs]),
    },
  ];
}

/** Parts that a group reported that is over. Those that aren't are reported individually from then on. */
function groupThatIsOver<P extends Part>(
  all: readonly P[],
  { openedMs, lastMs: overMs }: { openedMs: number; lastMs: number },
): Group<P> {
  const parts = all.filter(
    (part) =>
      isToldIn(part, openedMs) ||
      (part.opening !== null && fromMs(part) < overMs && endMs(part) > openedMs),
  );
  const carried = carriedIn(parts, { openedMs, overMs, own: parts, isOver: true });
  return { openedMs, parts, messages: [], carried };
}

/** When a part is over for its group; infinite while it isn't. */
function endMs({ endingMs, aloneMs }: Part): number {
  return Math.min(endingMs ?? Infinity, aloneMs ?? Infinity);
}

/** When a part starts to count for its group. */
function fromMs({ joinedMs, wantedMs, opening }: Part): number {
  return Math.min(Math.max(joinedMs, wantedMs), opening?.groupMs ?? Infinity);
}

type Rules = Part["rules"];

/** The rules that cover one of them, each once. */
const rulesOf = (parts: readonly Part[]): Rules => [
  ...new Set(parts.flatMap(({ rules }) => rules)),
];

/** The first instant from `atMs` on at which one of the rules isn't in its quiet hours; infinite if `atMs` is. */
function afterTheirQuiet(atMs: number, rules: Rules): number {
  return Number.isFinite(atMs) ? afterQuiet(atMs, rules) : atMs;
}

/** Whether a group's messages included its opening or its ending. @param openedMs of the group */
export function isToldIn({ opening, ending }: Part, openedMs: number): boolean {
  return opening?.groupMs === openedMs || ending?.groupMs === openedMs;
}

/**
 * The opening of the group that was reported with one of the parts, even if a clock that was set has moved them since, or
 * otherwise of one that was reported while they lasted; null: there is none that isn't over.
 */
function reportedMs(parts: readonly Part[], written: ReadonlyMap<number, Written>): number | null {
  const firstMs = Math.min(...parts.map(fromMs));
  const lastMs = Math.max(...parts.map(endMs));
  const open = [...written].flatMap(([openedMs, { isOver }]) => (isOver ? [] : openedMs));
  const told = open.find((openedMs) => parts.some(({ opening }) => opening?.groupMs === openedMs));
  return told ?? open.find((openedMs) => firstMs <= openedMs && openedMs < lastMs) ?? null;
}

/** Parts that follow each other without a time in which all are over. */
function episodesOf<P extends Part>(parts: readonly P[]): P[][] {
  const inOrder = parts
    .filter((part) => fromMs(part) < endMs(part))
    .toSorted((a, b) => fromMs(a) - fromMs(b) || (a.id < b.id ? -1 : 1));
  const episodes: P[][] = [];
  let overMs = -Infinity;
  for (const part of inOrder) {
    if (fromMs(part) >= overMs) {
      episodes.push([]);
      overMs = -Infinity;
    }
    episodes.at(-1)?.push(part);
    overMs = Math.max(overMs, endMs(part));
  }
  return episodes;
}

/** When the second subject came to a group; infinite: never. */
function togetherMs(parts: readonly Part[]): number {
  const first = new Map<string, number>();
  for (const part of parts)
    first.set(part.subject, Math.min(first.get(part.subject) ?? Infinity, fromMs(part)));
  return [...first.values()].toSorted((a, b) => a - b)[MIN_PARTS - 1] ?? Infinity;
}

/** Whether its opening was sent individually, or was due before it was known to be in a group. */
function isOpenedAlone({ opening, openingMs, knownMs }: Part, sinceMs: number): boolean {
  return opening === null ? openingMs < Math.max(knownMs, sinceMs) : opening.groupMs === null;
}

/** When a group that wasn't reported yet is first; null: too few last until then. */
function openingOf(parts: readonly Part[], readyMs: number | null): number | null {
  let left = parts;
  for (;;) {
    const sinceMs = togetherMs(left);
    const waiting = left.filter((part) => !isOpenedAlone(part, sinceMs));
    const readyOrFirstMs = readyMs ?? Math.min(...waiting.map(({ openingMs }) => openingMs));
    const dueMs = afterTheirQuiet(Math.max(sinceMs, readyOrFirstMs), rulesOf(left));
    if (dueMs === Infinity) return null;
    const lasting = left.filter((part) => endMs(part) > dueMs);
    if (lasting.length === left.length) return dueMs;
    left = lasting;
  }
}

/**
 * @param parts those that the group reports, `own`, and those that ended before it was reported
 * @param given.isOver its last message was written: an ending that this didn't include, because the company had no
 * connection then, is reported individually
 */
function carriedIn(
  parts: readonly Part[],
  {
    openedMs,
    overMs,
    own,
    isOver,
  }: { openedMs: number; overMs: number; own: readonly Part[]; isOver: boolean },
): Map<string, Carried> {
  const sinceMs = togetherMs(own);
  return new Map(
    parts.flatMap((part): [string, Carried][] => {
      const { id, endingMs, aloneMs, ending } = part;
      const isAlone = isOpenedAlone(part, sinceMs);
      // It ended, or was left alone, before the group was reported.
      const isEarlier = !isToldIn(part, openedMs) && endMs(part) <= openedMs;
      if (isEarlier && (isAlone || aloneMs !== null)) return [];
      const endedMs = endingMs ?? Infinity;
      const isEnded = ending !== null || (!isOver && endedMs <= overMs);
      const untilMs = isEnded ? Infinity : Math.min(endedMs, overMs);
      const openingMs = part.opening?.dueMs ?? part.openingMs;
      return [[id, { fromMs: isAlone ? Math.max(openedMs, openingMs + 1) : -Infinity, untilMs }]];
    }),
  );
}

function messagesOf<P extends Part>(
  openedMs: number,
  parts: readonly P[],
  given: {
    changes: Changes;
    written: ReadonlyMap<number, Written>;
    isComplete: boolean;
    nowMs: number;
  },
): { messages: GroupMessage<P>[]; nextMs: number } {
  const { nowMs } = given;
  const before = given.written.get(openedMs);
  const sinceMs = togetherMs(parts);
  const untold = new Set(
    parts.filter((part) => part.opening === null && !isOpenedAlone(part, sinceMs)),
  );
  const unended = new Set(parts.filter(({ ending }) => ending === null));
  const messages: GroupMessage<P>[] = [];
  const write = (tells: GroupMessage<P>["tells"], dueMs: number) => {
    const opens = taken(untold, (part) => tells === "ended" || fromMs(part) <= dueMs);
    const ends = taken(
      unended,
      (part) => !untold.has(part) && (part.endingMs ?? Infinity) <= dueMs,
    );
    const told = new Set(parts.filter((part) => !untold.has(part)));
    messages.push({ tells, dueMs, told, opens, ends });
  };

  if (before === undefined) {
    if (openedMs > nowMs)
      return { messages, nextMs: firstAfter(nowMs, [openedMs, ...turns(parts)]) };
    write("opened", openedMs);
  }
  const lastMs = before?.lastMs ?? openedMs;
  const overMs = Math.max(lastMs, ...parts.map(endMs));
  const isChangeTold = before?.isChangeTold === true;
  const changeMs = changeOf({ parts, untold, lastMs, nowMs, changes: given.changes, isChangeTold });
  // When all are over, their endings, which quiet hours may hold back, say all there is to say.
  const isOneOpen = parts.some(
    (part) =>
      (part.closedMs ?? Infinity) > changeMs &&
      (part.opening !== null || (untold.has(part) && fromMs(part) <= changeMs)),
  );
  if (changeMs <= nowMs && changeMs < overMs && isOneOpen) write("changed", changeMs);
  if (given.isComplete && overMs <= nowMs) write("ended", overMs);
  // More may be due once these are written.
  if (messages.length > 0) return { messages, nextMs: nowMs };
  return { messages, nextMs: firstAfter(nowMs, [changeMs, overMs, ...turns(parts)]) };
}

/** When something happens to the parts, as far as known, and may be told. */
function turns(parts: readonly Part[]): number[] {
  const rules = rulesOf(parts);
  return parts.flatMap((part) =>
    [fromMs(part), endMs(part), ...part.worseMs, ...part.changesMs].flatMap((ms) => [
      ms,
      afterTheirQuiet(ms, part.rules),
      afterTheirQuiet(ms, rules),
    ]),
  );
}

const firstAfter = (nowMs: number, instants: readonly number[]): number =>
  Math.min(Infinity, ...instants.filter((ms) => ms > nowMs));

/** When the next change is due; infinite: not yet, or never. */
function changeOf<P extends Part>({
  parts,
  untold,
  lastMs,
  nowMs,
  changes,
  isChangeTold,
}: {
  parts: readonly P[];
  untold: ReadonlySet<P>;
  lastMs: number;
  nowMs: number;
  changes: Changes;
  isChangeTold: boolean;
}): number {
  if (changes === "none" || (changes === "one" && isChangeTold)) return Infinity;
  const newsOf = (part: P, atMs: readonly number[]) =>
    atMs
      .filter((ms) => ms > Math.max(lastMs, part.knownMs) && ms <= nowMs)
      .map((ms) => afterTheirQuiet(ms, part.rules));
  const grew = [...untold].map((part) => afterTheirQuiet(fromMs(part), part.rules));
  if (changes === "one") {
    const firstMs = Math.min(...grew, ...parts.flatMap((part) => newsOf(part, part.worseMs)));
    return afterTheirQuiet(Math.max(firstMs, lastMs) + COLLECT_MS, rulesOf(parts));
  }
  const instants = parts
    .flatMap((part) => newsOf(part, [...part.changesMs, endMs(part)]))
    .filter((ms) => ms <= nowMs);
  let dueMs = Infinity;
  for (const atMs of [...grew, ...instants].toSorted((a, b) => a - b)) {
    const nextMs = Math.max(atMs, (dueMs === Infinity ? lastMs : dueMs) + EDIT_MS);
    // Of edits that weren't made in time only the last one counts.
    if (dueMs === Infinity || (atMs > dueMs && nextMs <= nowMs)) dueMs = nextMs;
  }
  return afterTheirQuiet(dueMs, rulesOf(parts));
}

/** Takes some of a set out of it. */
function taken<P>(from: Set<P>, isDue: (part: P) => boolean): P[] {
  const found = [...from].filter(isDue);
  for (const part of found) from.delete(part);
  return found;
}
