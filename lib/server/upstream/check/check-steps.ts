import type { CheckStep } from "@/lib/contracts/connections";
import type { Scope } from "@/lib/contracts/v3";
import { CHECK_STEPS } from "@/lib/domain/check-steps";
import type { RateLimit } from "@/lib/domain/sync";
import {
  clockWords,
  rateLimitWords,
  scopeWords,
  SHOWN_SCOPES,
  SKIPPED,
  useOf,
  type Finding,
} from "./check-words";

type Step = CheckStep["step"];
type Detail = Omit<CheckStep["detail"], "note">;
/** Result of a step. */
export type Judged = { ok: boolean | null; finding: Finding; detail?: Detail };

/** The steps after one that failed. */
export function* skipped(after: Step): Generator<CheckStep, void, void> {
  for (const step of CHECK_STEPS.slice(CHECK_STEPS.indexOf(after) + 1)) yield skip(step);
}

export const skip = (step: Step) => stepOf(step, null, { ok: null, finding: SKIPPED });

export function stepOf(step: Step, ms: number | null, { ok, finding, detail }: Judged): CheckStep {
  const { text, note } = finding;
  return { step, ok, text, ms: ms === null ? null : Math.round(ms), detail: { ...detail, note } };
}

export function scopesStep(granted: ReadonlySet<Scope>): CheckStep {
  const missing = SHOWN_SCOPES.filter((scope) => !granted.has(scope));
  return stepOf("scopes", null, {
    ok: missing.length === 0,
    finding: missing.length === 0 ? scopeWords.all : scopeWords.some(missing),
    detail: {
      scopes: SHOWN_SCOPES.map((scope) => ({
        scope,
        granted: granted.has(scope),
        use: useOf(scope),
      })),
    },
  });
}

export function rateLimitStep(
  seen: RateLimit | null,
  {
    plannedPerMinute,
    requestsPerMinute,
  }: { plannedPerMinute: (pages: number) => number; requestsPerMinute: number },
  pages: number,
): CheckStep {
  if (seen === null) {
    return stepOf("rate_limit", null, {
      ok: null,
      finding: rateLimitWords.unknown(requestsPerMinute),
    });
  }
  const { limit } = seen;
  const planned = plannedPerMinute(pages);
  const isEnough = limit >= planned;
  return stepOf("rate_limit", null, {
    ok: isEnough,
    finding: (isEnough ? rateLimitWords.seen : rateLimitWords.tooLow)(limit, planned),
    detail: { limit, planned_per_minute: planned },
  });
}

/** @param offsetMs null: no response had a date */
export function clockStep(offsetMs: number | null): CheckStep {
  if (offsetMs === null) {
    return stepOf("clock", null, { ok: null, finding: clockWords.unknown });
  }
  return stepOf("clock", null, {
    ok: true,
    finding: offsetMs === 0 ? clockWords.agrees : clockWords.differs(offsetMs),
    detail: { offset_ms: offsetMs },
  });
}
