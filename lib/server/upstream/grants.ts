import { SCOPES, type Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { KeptTokens } from "./kept-tokens";

/** A token reads or deletes; none does both. */
export type Purpose = "read" | "write";
export const PURPOSES = ["read", "write"] as const;
export const purposeOf = (scope: Scope): Purpose => (scope.startsWith("write:") ? "write" : "read");

/** What is known of the scopes that the upstream grants. Instants are on our monotonic clock. */
type State =
  /** Nothing; what an earlier process stored has not been read yet. */
  | { name: "unread" }
  | { name: "unknown" }
  /** What the read token carries; whether anything may be deleted is unknown. */
  | { name: "readable"; scopes: ReadonlySet<Scope>; noProbeBeforeMs: number }
  | {
      name: "complete";
      scopes: ReadonlySet<Scope>;
      learnedAtMs: number;
      /** How long after `learnedAtMs` a missing scope is asked for again. */
      relearnAfterMs: number;
    };

/** How the grants must be learned before a scope is used. */
export type Due =
  /** Before the request. */
  | "now"
  /** Beside the request: what is known still serves. */
  | "meanwhile"
  /** As `meanwhile`, for what is granted besides reading, and only when there is room. */
  | "probe"
  | "no";

/** The scopes that the upstream grants a client, as far as we know. */
export type Grants = {
  /** Null before any are known. */
  scopes(): ReadonlySet<Scope> | null;
  /** Whether all granted scopes are known, the one to delete with too. */
  isComplete(): boolean;
  /** The scopes to request a token with. */
  requestable(purpose: Purpose): readonly Scope[];
  /** Takes over what an earlier process learned; does nothing after the first call. */
  takeUpStored(): Promise<void>;
  /** Whether the grants must be learned before `scope` is used. Saying so postpones the next time. */
  due(scope: Scope): Due;
  /** Whether it is time to learn again because a scope is missing. Saying so postpones the next time. */
  relearnIsDue(): boolean;
  /** Whether it is time to probe. Saying so postpones the next time. */
  probeIsDue(): boolean;
  /** Takes note of a token taken over from another process. */
  noteTakenUp(scopes: ReadonlySet<Scope>): void;
  /** Takes note of a token: what was requested and left out is not granted. */
  noteReceived(requested: readonly Scope[], received: ReadonlySet<Scope>): void;
  /**
   * Takes note of all that is granted.
   * @returns the purposes whose tokens are out of date
   */
  noteLearned(scopes: ReadonlySet<Scope>): readonly Purpose[];
  /** A token was answered 403 in spite of its scopes: learn them again before the next use. */
  markStale(): void;
};

const GRANTS_LAST_MS = 86_400_000;
/** After learning failed. */
const LEARN_AGAIN_MS = 900_000;
/**
 * Learning again what is granted, when something is missing: first after half a poll, between these, then
 * doubled up to a minute or, if that is longer, a poll: a scope granted at last shows at the normal rhythm.
 */
const LEAST_FIRST_RELEARN_MS = 10_000;
const MOST_FIRST_RELEARN_MS = 30_000;
const LEAST_LONGEST_RELEARN_MS = 60_000;

/**
 * @param options.pollSeconds the normal rhythm
 * @param options.stored grants that outlive the process; null: none do
 */
export function createGrants({
  clock,
  pollSeconds,
  stored,
}: {
  clock: Clock;
  pollSeconds: number;
  stored: Pick<KeptTokens, "readGrants" | "writeGrants"> | null;
}): Grants {
  const firstRelearnMs = Math.min(
    Math.max(pollSeconds * 500, LEAST_FIRST_RELEARN_MS),
    MOST_FIRST_RELEARN_MS,
  );
  const longestRelearnMs = Math.max(pollSeconds * 1000, LEAST_LONGEST_RELEARN_MS);

  let state: State = { name: stored === null ? "unknown" : "unread" };
  let isStale = false;

  const scopes = () => ("scopes" in state ? state.scopes : null);

  function relearnIsDue(): boolean {
    if (state.name !== "complete") return false;
    const { learnedAtMs, relearnAfterMs } = state;
    if (clock.monotonicMs() - learnedAtMs < relearnAfterMs) return false;
    state = { ...state, relearnAfterMs: Math.min(relearnAfterMs * 2, longestRelearnMs) };
    return true;
  }

  function dailyIsDue(): boolean {
    if (state.name !== "complete") return false;
    if (clock.monotonicMs() - state.learnedAtMs <= GRANTS_LAST_MS) return false;
    state = { ...state, learnedAtMs: state.learnedAtMs + LEARN_AGAIN_MS };
    return true;
  }

  return {
    scopes,
    isComplete: () => state.name === "complete",
    requestable: (purpose) =>
      SCOPES.filter(
        (scope) => purposeOf(scope) === purpose && (scopes()?.has(scope) ?? purpose === "read"),
      ),
    async takeUpStored() {
      if (state.name !== "unread") return;
      state = { name: "unknown" };
      const found = (await stored?.readGrants()) ?? null;
      if (found === null || scopes() !== null || found.ageMs > GRANTS_LAST_MS) return;
      state = {
        name: "complete",
        scopes: found.scopes,
        learnedAtMs: clock.monotonicMs() - Math.max(0, found.ageMs),
        relearnAfterMs: firstRelearnMs,
      };
    },
    due(scope) {
      const known = scopes();
      if (known === null) return "now";
      const isMissing = !known.has(scope);
      if (state.name !== "complete") return isMissing ? "now" : "probe";
      if ((isStale || isMissing) && relearnIsDue()) return "now";
      return dailyIsDue() ? "meanwhile" : "no";
    },
    relearnIsDue: () => (isStale || (scopes()?.size ?? 0) < SCOPES.length) && relearnIsDue(),
    probeIsDue() {
      const nowMs = clock.monotonicMs();
      if (state.name !== "readable" || nowMs < state.noProbeBeforeMs) return false;
      state = { ...state, noProbeBeforeMs: nowMs + LEARN_AGAIN_MS };
      return true;
    },
    noteTakenUp(found) {
      if (scopes() !== null) return;
      state = readable(found);
    },
    noteReceived(requested, received) {
      const left = new Set(
        [...(scopes() ?? requested)].filter(
          (scope) => !requested.includes(scope) || received.has(scope),
        ),
      );
      state = "scopes" in state ? { ...state, scopes: left } : readable(left);
    },
    noteLearned(learned) {
      const before = scopes();
      const widened = [...learned].filter((scope) => !before?.has(scope));
      const outdated = PURPOSES.filter(
        (purpose) => isStale || widened.some((scope) => purposeOf(scope) === purpose),
      );
      state = {
        name: "complete",
        scopes: learned,
        learnedAtMs: clock.monotonicMs(),
        relearnAfterMs:
          state.name === "complete" && widened.length === 0 ? state.relearnAfterMs : firstRelearnMs,
      };
      isStale = false;
      stored?.writeGrants(learned);
      return outdated;
    },
    markStale() {
      isStale = true;
    },
  };
}

const readable = (scopes: ReadonlySet<Scope>): State => ({
  name: "readable",
  scopes,
  noProbeBeforeMs: Number.NEGATIVE_INFINITY,
});
