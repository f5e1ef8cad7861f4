import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Period } from "@/lib/domain/history";
import type { Standing } from "./partner-at-company";

/** Whose trouble it is, as far as the evidence goes. */
export const OWNERS_OF_TROUBLE = [
  "we_are_blind",
  "limited",
  "host",
  "theirs",
  "one_company",
  "cant_tell",
] as const;
export type OwnerOfTrouble = (typeof OWNERS_OF_TROUBLE)[number];

/**
 * What was counted.
 * - `companies`: behind, of those that have the partner
 * - `unseen`: that we can't see, of those
 * - `limited`: feeds behind whose last run was rate limited, of those behind
 * - `host`: companies of one host that are behind and have other partners in trouble since the same time, of those of
 *   the host that are behind
 * - `own_runs`, `other_runs`: runs of the partner, and of other partners there, that completed, of those that ended
 *   since its trouble started
 */
export const EVIDENCE_KINDS = [
  "companies",
  "unseen",
  "limited",
  "host",
  "own_runs",
  "other_runs",
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export type Evidence = { kind: EvidenceKind; hit: number; of: number };

/** A company with the partner. Instants are epoch milliseconds on one clock. */
export type CompanyEvidence = {
  standing: Standing;
  /** Whether some of its feeds is neither paused nor removed. */
  hasIt: boolean;
  /** Scheme, name and port of its API. */
  host: string;
  /** When the trouble started; null: nothing is behind. */
  sinceMs: number | null;
  /** Last run of each feed that is behind. */
  lastRuns: readonly (string | null)[];
  /** When the trouble of other partners' feeds there started. */
  othersBeganMs: readonly number[];
};

/** Runs that ended at the companies that are behind, each since its own trouble started. */
export type EndedRuns = { own: RunTally; others: RunTally };
/** Since when they ended; `mixed`: since the trouble started, except where that was longer ago than a day. */
export type RunsSince = "trouble" | "a_day" | "mixed";
export type RunTally = { completed: number; ended: number };

export type TheirsOrOurs = {
  code: OwnerOfTrouble;
  /** The host of `host`; otherwise null. */
  host: string | null;
  /** What the code rests on first; nothing is counted that wasn't known. */
  evidence: Evidence[];
};

/** Trouble that started within this time of each other started together. */
const TOGETHER_MS = 30 * MINUTE_MS;

/**
 * Whose trouble it is when a partner is behind at some companies: the first code that holds.
 * @param runs null: not known
 */
export function theirsOrOurs(
  companies: readonly CompanyEvidence[],
  runs: EndedRuns | null,
): TheirsOrOurs {
  const having = companies.filter(({ hasIt }) => hasIt);
  const hit = having.filter(({ standing }) => standing === "behind");
  const unseen: Evidence = {
    kind: "unseen",
    hit: having.filter(({ standing }) => standing === "unseen").length,
    of: having.length,
  };
  const whole: Evidence = { kind: "companies", hit: hit.length, of: having.length };
  const lastRuns = hit.flatMap((one) => one.lastRuns);
  const limited: Evidence = {
    kind: "limited",
    hit: lastRuns.filter((status) => status === "rate_limited").length,
    of: lastRuns.length,
  };
  const host = troubledHost(hit);
  const others = runs?.others ?? { completed: 0, ended: 0 };
  const code = ((): OwnerOfTrouble => {
    if (unseen.hit * 5 > unseen.of) return "we_are_blind";
    if (limited.of > 0 && limited.hit === limited.of) return "limited";
    if (host !== null) return "host";
    const haveOthersRun = others.ended > 0 && others.completed * 10 >= others.ended * 9;
    if (hit.length >= 2 && haveOthersRun) return "theirs";
    return hit.length === 1 && having.length >= 2 ? "one_company" : "cant_tell";
  })();
  const counted: (Evidence | null)[] = [
    code === "we_are_blind" ? unseen : null,
    code === "limited" ? limited : null,
    code === "host" && host !== null ? { kind: "host", hit: host.hit, of: host.of } : null,
    hit.length === 0 || runs === null || runs.own.ended === 0
      ? null
      : { kind: "own_runs", hit: runs.own.completed, of: runs.own.ended },
    hit.length === 0 || others.ended === 0
      ? null
      : { kind: "other_runs", hit: others.completed, of: others.ended },
    whole,
    code === "we_are_blind" || unseen.hit === 0 ? null : unseen,
    code === "limited" || limited.hit === 0 ? null : limited,
  ];
  return {
    code,
    host: code === "host" ? (host?.name ?? null) : null,
    evidence: counted.filter((one) => one !== null),
  };
}

/**
 * @param counted when runs were counted, by company: since its trouble started, or for `mostMs` if that is longer ago
 */
export function runsSince(counted: readonly Period[], mostMs: number): RunsSince {
  const isCut = ({ fromMs, untilMs }: Period) => untilMs - fromMs >= mostMs;
  if (!counted.some(isCut)) return "trouble";
  return counted.every(isCut) ? "a_day" : "mixed";
}

type TroubledHost = { name: string; hit: number; of: number };

/**
 * The host with the most companies where other partners are in trouble too, if these are half or more of its own. One
 * company of several doesn't speak for its host: those on others don't share it, and it would hide what theirs say.
 */
function troubledHost(hit: readonly CompanyEvidence[]): TroubledHost | null {
  const hosts = new Map<string, TroubledHost>();
  for (const { host: name, sinceMs, othersBeganMs } of hit) {
    const host = hosts.get(name) ?? { name, hit: 0, of: 0 };
    const isShared =
      sinceMs !== null && othersBeganMs.some((ms) => Math.abs(ms - sinceMs) <= TOGETHER_MS);
    hosts.set(name, { name, hit: host.hit + Number(isShared), of: host.of + 1 });
  }
  let worst: TroubledHost | null = null;
  for (const host of hosts.values())
    if (
      host.hit > 0 &&
      host.hit * 2 >= host.of &&
      host.of >= Math.min(2, hit.length) &&
      host.hit > (worst?.hit ?? 0)
    )
      worst = host;
  return worst;
}
