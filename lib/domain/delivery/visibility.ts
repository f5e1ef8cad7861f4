import { DELAYED_POLLS } from "@/lib/domain/confidence";
import type { Period } from "@/lib/domain/history";
import { NEVER_SEEN, neverSeen, type Blindness } from "./blindness";
import type { SourceReason } from "@/lib/domain/sync";
import { sourceReasonSentence } from "@/lib/domain/words/source-sentences";

/** A company's visibility, according to the poller. */
export type Visibility = {
  /** Age of its snapshot, by a clock that can't be set, milliseconds; null: no snapshot. */
  ageMs: number | null;
  rhythmSeconds: number;
  /** How far the API clock is ahead of ours, milliseconds. */
  offsetMs: number;
  /** Why it can't be read, to follow a colon; null: the reason is unknown, or it can. */
  because: string | null;
  /** The same as a code. */
  reason: SourceReason | null;
  /** An administrator paused its connection, so that it isn't seen is no news. */
  isPaused: boolean;
};

/** When a company was observed; see `DeliveryFacts`. */
type Observed = {
  observedMs: number | null;
  firstObservedMs: number | null;
  triedFromMs: number | null;
  gaps: readonly Period[];
};

/** Largest difference between the timestamps of a gap and of the observation before it. */
const SAME_BLINDNESS_MS = 120_000;

/** A company's visibility. @param state of its last snapshot, with its age; null: none */
export function visibilityOf(
  state: {
    rhythmSeconds: number;
    apiClockOffsetMs: number;
    reason: SourceReason | null;
    rateLimit: { resetAtMs: number } | null;
  } | null,
  ageMs: number | null,
  nowMs: number,
  { reportTimeZone: timeZone }: { reportTimeZone: string },
): Visibility | null {
  if (state === null) return null;
  const { reason, rateLimit, rhythmSeconds, apiClockOffsetMs: offsetMs } = state;
  const resetMs = rateLimit?.resetAtMs ?? null;
  const sentence =
    reason === null || reason === "starting"
      ? null
      : sourceReasonSentence(reason, { resetMs, nowMs, timeZone });
  return {
    ageMs,
    rhythmSeconds,
    offsetMs,
    because: sentence === null ? null : inSentence(sentence),
    reason: sentence === null ? null : reason,
    isPaused: reason === "disconnected",
  };
}

/** Turns a sentence into a clause, such as "the source isn’t responding". */
function inSentence(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

/** Whether a company can't be seen now. @param observedMs its last observation */
export function isBlindNow(
  seen: Pick<Visibility, "ageMs" | "rhythmSeconds" | "offsetMs"> | null,
  observedMs: number,
  nowMs: number,
): boolean {
  const blindAfterMs = DELAYED_POLLS * (seen?.rhythmSeconds ?? Infinity) * 1_000;
  const apiNowMs = nowMs + (seen?.offsetMs ?? 0);
  return Math.max(apiNowMs - observedMs, seen?.ageMs ?? 0) > blindAfterMs;
}

/**
 * Blind periods to notify a destination of: an ongoing one, or one that it was notified of but not of its end.
 * @param messages the destination's messages about visibility
 */
export function blindnessesOf(
  { observedMs, firstObservedMs, triedFromMs, gaps }: Observed,
  messages: readonly { key: string; dueMs: number }[],
  {
    seen,
    nowMs,
    isLedLong,
  }: { seen: Visibility | null; nowMs: number; isLedLong: (ms: number) => boolean },
): Blindness[] {
  const over = new Set(
    messages.flatMap(({ key }) =>
      key.startsWith(SEEN_AGAIN) ? [key.slice(SEEN_AGAIN.length)] : [],
    ),
  );
  const open = messages.flatMap(({ key, dueMs }) => {
    const from = key.startsWith(BLIND) ? key.slice(BLIND.length) : null;
    return from === null || over.has(from) ? [] : [{ from, reportedFromMs: dueMs }];
  });
  const blindAfterMs = DELAYED_POLLS * (seen?.rhythmSeconds ?? Infinity) * 1_000;
  const apiNowMs = nowMs + (seen?.offsetMs ?? 0);
  if (observedMs === null) {
    const wasReported = open.some(({ from }) => from === NEVER_SEEN);
    // A company that is read but can't be recorded isn't blind.
    if (wasReported || seen?.ageMs !== null || seen.isPaused || !isLedLong(blindAfterMs)) return [];
    const never = neverSeen({ triedFromMs, firstSeenMs: null, blindAfterMs, nowMs: apiNowMs });
    return never === null ? [] : [never];
  }
  const isSame = (aMs: number, bMs: number) => Math.abs(aMs - bMs) <= SAME_BLINDNESS_MS;
  const isBlind = isBlindNow(seen, observedMs, nowMs);
  const again = open.flatMap(({ from, reportedFromMs }): Blindness[] => {
    const blindness = { reportedFromMs, wasReported: true };
    if (from === NEVER_SEEN)
      return [{ ...blindness, fromMs: null, untilMs: firstObservedMs ?? observedMs }];
    const fromMs = Number(from);
    if (observedMs <= fromMs || (isBlind && isSame(fromMs, observedMs)))
      return [{ ...blindness, fromMs, untilMs: null }];
    const gap = gaps.find((one) => isSame(one.fromMs, fromMs) && one.untilMs > fromMs);
    return [{ ...blindness, fromMs, untilMs: gap?.untilMs ?? observedMs }];
  });
  // Don't report blindness until this leader has had time to poll.
  const isNew =
    isBlind &&
    seen?.isPaused !== true &&
    isLedLong(blindAfterMs) &&
    !open.some(({ from }) => isSame(Number(from), observedMs));
  // In case our clock was set back, so that it isn't in the future.
  const reportedFromMs = Math.min(observedMs + blindAfterMs, apiNowMs);
  return isNew
    ? [...again, { fromMs: observedMs, reportedFromMs, untilMs: null, wasReported: false }]
    : again;
}

const BLIND = "blind:";
const SEEN_AGAIN = "seen_again:";
