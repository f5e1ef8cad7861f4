import { Broken, type Scene } from "../simulation";
import { createWholeAnswers } from "./whole-answers";

const HOUR_MS = 3_600_000;
/** What was told may have been on its way. */
const MARGIN_MS = 60_000;

/**
 * Where an API told nothing for an hour or longer, the record says so at the end, for most of that time: otherwise reports
 * would count it as observed.
 */
export function createGapsCheck() {
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    if (!isEnd) return;
    const { api, control, world } = scene;
    const answers = createWholeAnswers()(scene);
    for (const { slug } of world.companies) {
      const skewMs = api.skewMs(slug);
      const gaps = await control.rows<{ from_ms: number; until_ms: number }>(
        `select (extract(epoch from from_at) * 1000)::float as from_ms,
           (extract(epoch from until_at) * 1000)::float as until_ms from gaps where company = $1`,
        [slug],
      );
      const own = answers.filter(({ company }) => company === slug);
      for (const [at, { begunMs: untilMs }] of own.entries()) {
        const fromMs = own[at - 1]?.arrivedMs ?? Infinity;
        const lastedMs = untilMs - fromMs;
        // Before the first hour nothing may be recorded yet.
        if (lastedMs < HOUR_MS || fromMs < world.startMs + HOUR_MS) continue;
        if (isMisdated(scene, slug, fromMs) || isMisdated(scene, slug, untilMs)) continue;
        const coveredMs = gaps.reduce((sum, gap) => {
          const [from, until] = [gap.from_ms - skewMs, gap.until_ms - skewMs];
          return sum + Math.max(0, Math.min(until, untilMs) - Math.max(from, fromMs));
        }, 0);
        if (coveredMs < lastedMs / 2)
          throw new Broken(
            "gaps",
            `${slug} told nothing from ${iso(fromMs)} to ${iso(untilMs)}, and the record doesn't say so`,
          );
      }
    }
  };
}

/**
 * Whether the API may have told a wrong date then, so that it isn't known where on its clock the gap was. One that is ahead,
 * and further from ours than the API's own, is known to be wrong.
 */
function isMisdated({ api, faults }: Scene, company: string, atMs: number): boolean {
  const skewMs = api.skewMs(company);
  return faults.some(
    ({ kind, amount, fromMs, untilMs, company: of }) =>
      kind === "wrong_date" &&
      (of === null || of === company) &&
      fromMs - MARGIN_MS < atMs &&
      atMs < untilMs + MARGIN_MS &&
      (amount < 0 || Math.abs(skewMs + amount) <= Math.abs(skewMs)),
  );
}

const iso = (ms: number) => new Date(ms).toISOString();
