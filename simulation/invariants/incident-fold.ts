import type { Check, RecordedQuiet } from "./observations";
import { concerns, isQuietAt } from "./quiet-times";
import type { JudgedRow } from "./verdicts";
import { instant } from "./verdict-table";

/**
 * Incidents by the rules of docs/incidents.md, folded a second time: nothing here is from `lib/domain`. Instants are
 * epoch milliseconds on the API's clock.
 */

const OPENS_AFTER_MS = 15 * 60_000;
const CLOSES_AFTER_MS = 10 * 60_000;
/** Data dated further in the future than this proves nothing. */
const AHEAD_MS = 10 * 60_000;
const TROUBLES = ["late", "stale", "failing"];

type Part = {
  beganMs: number;
  joinedMs: number;
  /** The newest data when it was last seen in trouble, and when it joined. */
  dataMs: number | null;
  dataBeforeMs: number | null;
  trouble: string;
  endedMs: number | null;
  ending: string | null;
};

export type FoldedIncident = {
  partner: string;
  beganMs: number;
  openedMs: number;
  endedMs: number | null;
  ending: string | null;
  worst: string;
  flaps: number;
  parts: Map<string, Part>;
  /** Observed time in which no part was in trouble; null: one is. */
  calmMs: number | null;
};

type Fold = {
  atMs: number | null;
  open: Map<string, FoldedIncident>;
  /** Endpoints in trouble that are no part yet. */
  waiting: Map<string, { beganMs: number; seenMs: number }>;
  quiet: Map<string, RecordedQuiet>;
};

export type IncidentFold = {
  quiet(company: string, quiet: RecordedQuiet): void;
  /** @returns the incidents of the company that were open before or are now, as they are after the check */
  check(check: Check, rows: ReadonlyMap<string, JudgedRow>): FoldedIncident[];
};

export function createIncidentFold(): IncidentFold {
  const folds = new Map<string, Fold>();
  const foldOf = (company: string): Fold => {
    const fold = folds.get(company) ?? {
      atMs: null,
      open: new Map(),
      waiting: new Map(),
      quiet: new Map(),
    };
    folds.set(company, fold);
    return fold;
  };
  return {
    quiet: (company, one) => void foldOf(company).quiet.set(one.id, one),
    check({ company, atMs, gap }, rows) {
      const fold = foldOf(company);
      const hiddenMs = gap === null ? 0 : Math.max(0, gap.untilMs - gap.fromMs);
      const seenMs = fold.atMs === null ? 0 : Math.max(0, atMs - fold.atMs - hiddenMs);
      fold.atMs = atMs;
      const isQuiet = (own: JudgedRow) =>
        [...fold.quiet.values()].some(
          (quiet) => concerns(quiet, own.row) && isQuietAt(quiet, atMs),
        );
      const touched = new Set(fold.open.values());
      const joining = joinsOf(fold, rows, { atMs, seenMs, isQuiet });
      const wereCalm = new Set([...touched].filter(({ calmMs }) => calmMs !== null));
      for (const incident of fold.open.values())
        for (const [id, part] of incident.parts)
          if (part.endedMs === null) follow(part, rows.get(id), incident.partner, atMs, isQuiet);
      for (const { id, own, beganMs } of joining) {
        const { partner_name: partner } = own.row;
        const incident = fold.open.get(partner) ?? opened(partner, atMs);
        fold.open.set(partner, incident);
        touched.add(incident);
        join(incident, { id, own, beganMs, atMs });
      }
      for (const incident of touched) {
        const hasJoined = joining.some(({ own }) => own.row.partner_name === incident.partner);
        settle(fold, incident, { seenMs, isFlap: hasJoined && wereCalm.has(incident), rows });
      }
      return [...touched];
    },
  };
}

function landedOf({ row }: JudgedRow, atMs: number): number | null {
  const ms = instant(row.raw.attributes.last_updated_at);
  return ms === null || ms > atMs + AHEAD_MS ? null : ms;
}

type Joining = { id: string; own: JudgedRow; beganMs: number };

/** Who becomes a part now; the others in trouble wait. */
function joinsOf(
  fold: Fold,
  rows: ReadonlyMap<string, JudgedRow>,
  given: { atMs: number; seenMs: number; isQuiet: (own: JudgedRow) => boolean },
): Joining[] {
  const joining: Joining[] = [];
  const waiting: Fold["waiting"] = new Map();
  for (const [id, own] of rows) {
    const { word, beganMs } = own.judged;
    if (!TROUBLES.includes(word) || given.isQuiet(own)) continue;
    const part = fold.open.get(own.row.partner_name)?.parts.get(id);
    if (part !== undefined && part.endedMs === null) continue;
    const before = fold.waiting.get(id);
    const since = Math.min(beganMs ?? given.atMs, given.atMs);
    const landedMs = landedOf(own, given.atMs);
    const isNew =
      before === undefined ||
      (word !== "failing" && landedMs !== null && landedMs > before.beganMs);
    const now = isNew
      ? { beganMs: since, seenMs: 0 }
      : { beganMs: Math.min(before.beganMs, since), seenMs: before.seenMs + given.seenMs };
    const mustWaitMs = word === "late" && part === undefined ? OPENS_AFTER_MS : 0;
    if (now.seenMs < mustWaitMs) waiting.set(id, now);
    else joining.push({ id, own, beganMs: now.beganMs });
  }
  fold.waiting = waiting;
  return joining;
}

function opened(partner: string, atMs: number): FoldedIncident {
  return {
    partner,
    beganMs: Infinity,
    openedMs: atMs,
    endedMs: null,
    ending: null,
    worst: "late",
    flaps: 0,
    parts: new Map(),
    calmMs: null,
  };
}

function join(
  incident: FoldedIncident,
  { id, own, beganMs, atMs }: Joining & { atMs: number },
): void {
  const earlier = incident.parts.get(id);
  const landedMs = landedOf(own, atMs);
  incident.parts.set(id, {
    beganMs: earlier?.beganMs ?? beganMs,
    joinedMs: earlier?.joinedMs ?? atMs,
    dataMs: landedMs,
    dataBeforeMs: landedMs,
    trouble: own.judged.word,
    endedMs: null,
    ending: null,
  });
  // It began with the first of those that opened it.
  if (incident.openedMs === atMs) incident.beganMs = Math.min(incident.beganMs, beganMs);
}

/** A part after a check: still in trouble, unknown, or over. */
function follow(
  part: Part,
  own: JudgedRow | undefined,
  partner: string,
  atMs: number,
  isQuiet: (own: JudgedRow) => boolean,
): void {
  const end = (ending: string, ms: number | null) => {
    part.ending = ending;
    part.endedMs = Math.min(Math.max(ms ?? atMs, part.beganMs), atMs);
  };
  if (own === undefined || own.row.partner_name !== partner) {
    part.ending = "removed";
    part.endedMs = atMs;
    return;
  }
  const { word } = own.judged;
  if (word === "unknown") return;
  const landedMs = landedOf(own, atMs);
  const isNewer = (ms: number | null) => landedMs !== null && (ms === null || landedMs > ms);
  if (TROUBLES.includes(word)) {
    if (isQuiet(own)) return end("expected", null);
    part.trouble = word;
    if (isNewer(part.dataMs)) part.dataMs = landedMs;
    return;
  }
  const { last } = own.facts;
  const isRun = last?.status === "completed" && last.startedMs >= part.beganMs;
  if (isNewer(part.dataMs)) end("data_received", landedMs);
  else if (part.trouble === "failing" && isRun) end("run_completed", last.endedMs);
  else if (word === "paused") end("paused", null);
  else if (word === "webhook") end("became_webhook", null);
  else if (isNewer(part.dataBeforeMs)) end("data_received", landedMs);
  else end(own.isRescheduled ? "schedule_changed" : "eased", null);
}

/** Ends an incident that has been calm for long enough. */
function settle(
  fold: Fold,
  incident: FoldedIncident,
  {
    seenMs,
    isFlap,
    rows,
  }: { seenMs: number; isFlap: boolean; rows: ReadonlyMap<string, JudgedRow> },
): void {
  const parts = [...incident.parts];
  if (isFlap) incident.flaps += 1;
  for (const [id, { endedMs }] of parts) {
    const word = rows.get(id)?.judged.word ?? "";
    const isWorse = TROUBLES.indexOf(word) > TROUBLES.indexOf(incident.worst);
    if (endedMs === null && isWorse) incident.worst = word;
  }
  const isCalm = parts.every(([, { endedMs }]) => endedMs !== null);
  if (!isCalm) incident.calmMs = null;
  else incident.calmMs = incident.calmMs === null ? 0 : incident.calmMs + seenMs;
  if (incident.calmMs === null || incident.calmMs < CLOSES_AFTER_MS) return;
  incident.endedMs = Math.max(...parts.map(([, { endedMs }]) => endedMs ?? 0));
  const endings = new Set(
    parts.map(([, { ending }]) =>
      ending === "data_received" || ending === "run_completed" ? "recovered" : ending,
    ),
  );
  incident.ending = endings.size === 1 ? ([...endings][0] ?? "mixed") : "mixed";
  fold.open.delete(incident.partner);
}
