import type { Period } from "@/lib/domain/history";
import { carePeriods, type Care } from "@/lib/domain/incidents/mine";
import { afterQuiet } from "./quiet-hours";
import { rulesFor, type PlannedRule } from "./rule";

/** A period of blindness long enough to report. Instants are epoch milliseconds. */
export type Blindness = {
  /** Null: the company has never been seen. */
  fromMs: number | null;
  /** When it is due to be reported. */
  reportedFromMs: number;
  /** Null: still blind. */
  untilMs: number | null;
  /** Whether it was reported to this destination; if so, recovery is reported too, whatever the rules are by then. */
  wasReported: boolean;
};

/** Identifies a blindness of a company. */
export function sinceOf({ fromMs }: Pick<Blindness, "fromMs">): string {
  return String(fromMs ?? NEVER_SEEN);
}

/** Takes the place of the start time in the key of a blindness that has none. A company is first seen only once. */
export const NEVER_SEEN = "never";

/**
 * The period in which a new company was polled without ever being seen.
 * @param given.triedFromMs when polling started, epoch milliseconds like all instants here; null: unknown
 * @param given.firstSeenMs null: not seen yet
 * @returns null if it is too short to report, or not long enough yet
 */
export function neverSeen({
  triedFromMs,
  firstSeenMs,
  blindAfterMs,
  nowMs,
}: {
  triedFromMs: number | null;
  firstSeenMs: number | null;
  blindAfterMs: number;
  nowMs: number;
}): Blindness | null {
  if (triedFromMs === null) return null;
  const lastedMs = (firstSeenMs ?? nowMs) - triedFromMs;
  // Also report it if the clock was set back meanwhile.
  const isLong = firstSeenMs === null ? Math.abs(lastedMs) > blindAfterMs : lastedMs > blindAfterMs;
  if (!isLong) return null;
  const reportedFromMs = Math.min(triedFromMs + blindAfterMs, firstSeenMs ?? nowMs);
  return { fromMs: null, reportedFromMs, untilMs: firstSeenMs, wasReported: false };
}

/**
 * When a blindness and its end are due to be reported, epoch milliseconds.
 * @param rules those of the company
 * @returns null: it isn't reported; `seenAgainMs` null: the company is still blind
 */
export function dueOfBlindness(
  blindness: Blindness,
  rules: readonly PlannedRule[],
  { care, waitMs }: { care: Care; waitMs: number },
): { blindMs: number; seenAgainMs: number | null } | null {
  const { reportedFromMs, untilMs, wasReported } = blindness;
  const covered = rules.flatMap(({ sinceMs, onlyFor }) =>
    (onlyFor === null ? [ALWAYS] : carePeriods(care, onlyFor)).map((span) => ({
      ...span,
      fromMs: Math.max(sinceMs, span.fromMs),
    })),
  );
  if (!wasReported && covered.length === 0) return null;
  const coveredFromMs = Math.max(
    reportedFromMs + waitMs,
    Math.min(...covered.map((span) => span.fromMs)),
  );
  const blindMs = wasReported ? reportedFromMs : afterQuiet(coveredFromMs, rules);
  const isCovered = covered.some((span) => blindMs < Math.min(span.untilMs, untilMs ?? Infinity));
  if (!wasReported && !isCovered) return null;
  return { blindMs, seenAgainMs: untilMs === null ? null : afterQuiet(untilMs, rules) };
}

const ALWAYS: Period = { fromMs: -Infinity, untilMs: Infinity };

/** When an incident, or a blindness, is reported individually; infinite: it isn't. */
export type Moments = {
  /** When a rule first wants it reported, but for the wait. */
  wantedMs: number;
  openingMs: number;
  /** Null: it lasts. */
  endingMs: number | null;
};

/** @param given.rules those that reach the destination */
export function momentsOfBlindness(
  blindness: Blindness,
  given: { company: string; care: Care; rules: readonly PlannedRule[]; waitMs: number },
): Moments {
  const own = rulesFor(given.rules, given.company, null);
  const due = dueOfBlindness(blindness, own, given);
  const wanted = dueOfBlindness(blindness, own, { ...given, waitMs: 0 });
  return {
    wantedMs: wanted?.blindMs ?? Infinity,
    openingMs: due?.blindMs ?? Infinity,
    endingMs: due === null ? blindness.untilMs : due.seenAgainMs,
  };
}
