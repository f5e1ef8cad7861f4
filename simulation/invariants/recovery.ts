import { trustOf } from "@/components/wall/trust";
import type { Source } from "@/lib/contracts/dashboard";
import { confidence, confidenceNow } from "@/lib/domain/confidence";
import { instantMs } from "@/lib/domain/time/instant";
import { calmMs, RECOVERED_MS } from "../faults";
import { Broken, type Scene } from "../simulation";

/** An instance that couldn't start this long after PostgreSQL came back may have begun before. */
const STARTING_MS = 60_000;

/**
 * At the end, when nothing has gone wrong for a while, everything has recovered without help. Until then, an instance
 * starts whenever PostgreSQL answers, and without any fault nothing is logged as an error.
 */
export function createRecoveryCheck() {
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    const { control, world, time, plan, longestDelayMs } = scene;
    checkStarts(scene);
    checkErrors(scene);
    if (!isEnd || calmMs(plan) < RECOVERED_MS) return;
    const living = scene.instances().filter((instance) => !instance.isHanging());
    if (living.length === 0) throw new Broken("recovery", "no instance runs at the end");
    for (const instance of living)
      for (const { slug } of world.companies) {
        const { source } = instance.view(slug);
        const shown = confidenceNow(source, instance.nowMs());
        if (shown !== "live" && !isDelayedByWaits(source, instance.nowMs(), longestDelayMs))
          throw new Broken("recovery", `${slug} is still ${shown} at the end`);
      }
    checkWalls(scene);
    const paused = await control.rows<{ what: string }>("select what from pauses");
    if (paused.length > 0) return;
    const [waiting] = await control.rows<{ id: string; type: string; company: string | null }>(
      `select id, type, company from deliveries
       where settled_at is null and created_at < to_timestamp($1 / 1000.0) and told_in is null
       order by seq limit 1`,
      [time.nowMs() - RECOVERED_MS],
    );
    if (waiting !== undefined)
      throw new Broken(
        "recovery",
        `${waiting.type} ${waiting.id} still waits to be sent at the end`,
      );
    const [open] = await control.rows<{ company: string; id: string }>(
      `select company, id from deletions
       where state in ('waiting', 'running') and requested_at < to_timestamp($1 / 1000.0) order by id limit 1`,
      [time.nowMs() - RECOVERED_MS],
    );
    if (open !== undefined)
      throw new Broken(
        "recovery",
        `deletion ${open.id} of ${open.company} is still open at the end`,
      );
  };
}

/** Whether a company is delayed only because waits end late here: for the budget of a check with many pages, each time. */
function isDelayedByWaits(
  source: Pick<Source, "last_success_at" | "rhythm_seconds"> | null,
  nowMs: number,
  longestDelayMs: number,
): boolean {
  if (source === null) return false;
  const at = (ms: number) =>
    confidence(instantMs(source.last_success_at), ms, source.rhythm_seconds);
  return at(nowMs) === "delayed" && at(nowMs - longestDelayMs) === "live";
}

/** Walls have no faults either in the end of a run. */
function checkWalls({ walls, longestDelayMs }: Scene): void {
  for (const { name, now } of walls) {
    const screen = now();
    if (screen === null) throw new Broken("recovery", `${name} is dark at the end`);
    for (const company of screen.companies) {
      const { state, isSilent } = trustOf(company, screen);
      const source = isSilent ? null : (company.view?.source ?? null);
      if (state !== "live" && !isDelayedByWaits(source, screen.nowMs, longestDelayMs))
        throw new Broken("recovery", `${company.slug} is still ${state} on ${name} at the end`);
    }
  }
}

function checkStarts({ failedStarts, faults }: Scene): void {
  const isExcused = (atMs: number) =>
    faults.some(
      ({ kind, fromMs, untilMs }) =>
        kind.startsWith("database_") && fromMs <= atMs && atMs < untilMs + STARTING_MS,
    );
  const failed = failedStarts.find(({ atMs }) => !isExcused(atMs));
  if (failed !== undefined)
    throw new Broken("recovery", `${failed.name} couldn't start: ${failed.why}`);
}

function checkErrors({ errors, faults }: Scene): void {
  const [first] = errors;
  if (first !== undefined && faults.length === 0)
    throw new Broken(
      "recovery",
      `without any fault, errors were logged (${errors.length}): ${first}`,
    );
}
