import { SCOPES, type Scope } from "@/lib/contracts/v3";
import type { Clock } from "@/lib/server/clock";
import type { KeptTokens } from "./kept-tokens";

/** A token is for reading or for deleting, never for both. */
export type Purpose = "read" | "write";
export const PURPOSES = ["read", "write"] as const;
export const purposeOf = (scope: Scope): Purpose => (scope.startsWith("write:") ? "write" : "read");

/** What is known of the granted scopes. Times are on our monotonic clock. */
type State =
  /** Nothing is known, and stored grants have not been loaded yet. */
  | { name: "unread" }
  | { name: "unknown" }
  /** Only the scopes of the read token are known, not whether deleting is granted. */
  | { name: "readable"; scopes: ReadonlySet<Scope>; noProbeBeforeMs: number }
  | {
      name: "complete";
      scopes: ReadonlySet<Scope>;
      learnedAtMs: number;
      /** Delay after `learnedAtMs` before the grants are loaded again for a missing scope. */
      relearnAfterMs: number;
    };

/** How the grants must be loaded before a scope is used. */
export type Due =
  /** Before the request. */
  | "now"
  /** In the background: the known grants stay in use. */
  | "meanwhile"
  /** In the background and only when there is room, to find out whether deleting is granted. */
  | "probe"
  | "no";

/** The scopes that the upstream grants a client, as far as they are known. */
export type Grants = {
  /** Null before any are known. */
  scopes(): ReadonlySet<Scope> | null;
  /** Whether all granted scopes are known, including the one for deleting. */
  isComplete(): boolean;
  /** The scopes to request a token with. */
  requestable(purpose: Purpose): readonly Scope[];
  /** Loads the stored grants, once per process. */
  takeUpStored(): Promise<void>;
  /** Whether the grants must be loaded before `scope` is used; delays the next time. */
  due(scope: Scope): Due;
  /** Whether to reload the grants because some are missing; delays the next time. */
  relearnIsDue(): boolean;
  /** Whether to probe now; delays the next time. */
  probeIsDue(): boolean;
  /** Records the scopes of a stored token. */
  noteTakenUp(scopes: ReadonlySet<Scope>): void;
  /** Records the scopes of a new token: requested scopes that it omits aren't granted. */
  noteReceived(requested: readonly Scope[], received: ReadonlySet<Scope>): void;
  /**
   * Records all granted scopes.
   * @returns the purposes whose tokens are outdated
   */
  noteLearned(scopes: ReadonlySet<Scope>): readonly Purpose[];
  /** Records a 403 despite a sufficient scope: reload the grants before the next use. */
  markStale(): void;
};

const GRANTS_LAST_MS = 86_400_000;
/** After a failed reload. */
const LEARN_AGAIN_MS = 900_000;
/**
 * Delay before reloading the grants when some are missing: first half a poll interval within these bounds, then
 * doubled up to a minute or, if longer, one poll interval, so that a newly granted scope is noticed at the
 * normal rate.
 */
const MIN_FIRST_RELEARN_MS = 10_000;
const MAX_FIRST_RELEARN_MS = 30_000;
const MIN_LONGEST_RELEARN_MS = 60_000;

/**
 * @param options.pollSeconds normal poll interval
 * @param options.stored persisted grants; null: none
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
    Math.max(pollSeconds * 500, MIN_FIRST_RELEARN_MS),
    MAX_FIRST_RELEARN_MS,
  );
  const longestRelearnMs = Math.max(pollSeconds * 1000, MIN_LONGEST_RELEARN_MS);

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
