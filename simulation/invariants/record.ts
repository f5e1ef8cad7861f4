import { OWN_FAULTS } from "../faults";
import { Broken, type Scene } from "../simulation";
import type { Feed } from "../world";
import type { ConnectionWatch } from "./connections/connection-watch";
import { createWholeAnswers } from "./whole-answers";

type Landing = { company: string; endpoint_id: string; ms: string };
type RunRow = { company: string; endpoint_id: string; ms: string; status: string | null };

const HOUR_MS = 3_600_000;
/** A timestamp this far ahead of the API's own clock isn't recorded until that clock has passed it; less the time of an answer. */
const CREDIBLE_MS = 10 * 60_000 - 20_000;

/** The record holds nothing that didn't happen, and everything that was answered while it could be written. */
export function createRecordCheck(connections: Pick<ConnectionWatch, "wasInterrupted">) {
  let nextMs = 0;
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    const { time, control, world, api } = scene;
    if (time.nowMs() < nextMs && !isEnd) return;
    nextMs = time.nowMs() + HOUR_MS;
    const feeds = new Map(
      world.companies.flatMap(({ slug, feeds: own }) =>
        own.map((feed) => [`${slug} ${feed.id}`, feed]),
      ),
    );
    const landings = await control.rows<Landing>(
      "select company, endpoint_id, floor(extract(epoch from landed_at) * 1000)::bigint as ms from landings",
    );
    const recorded = new Set<string>();
    for (const { company, endpoint_id, ms } of landings) {
      const trueMs = Number(ms) - api.skewMs(company);
      recorded.add(`${company} ${endpoint_id} ${trueMs}`);
      const feed = feeds.get(`${company} ${endpoint_id}`);
      if (feed?.landingAt(trueMs)?.finishedMs !== trueMs)
        throw new Broken("record", `data of ${company} ${endpoint_id} at ${ms} never landed`);
    }
    const runs = await control.rows<RunRow>(
      "select company, endpoint_id, floor(extract(epoch from started_at) * 1000)::bigint as ms, status from runs",
    );
    for (const row of runs) checkRun(row, feeds, api.skewMs(row.company));
    if (isEnd) checkComplete(scene, recorded, connections);
  };
}

function checkRun(
  { company, endpoint_id, ms, status }: RunRow,
  feeds: ReadonlyMap<string, Feed>,
  skewMs: number,
): void {
  const trueMs = Number(ms) - skewMs;
  const run = feeds.get(`${company} ${endpoint_id}`)?.runAt(trueMs);
  if (run?.startedMs !== trueMs)
    throw new Broken("record", `a run of ${company} ${endpoint_id} at ${ms} never started`);
  // An unrecognised outcome is recorded as it was received.
  if (status !== run.outcome && status !== "in_progress" && status !== "reticulating")
    throw new Broken(
      "record",
      `the run of ${company} ${endpoint_id} at ${ms} ended ${run.outcome}, not ${status}`,
    );
}

/** What one instance was told, undisturbed, is recorded at the end. */
function checkComplete(
  scene: Scene,
  recorded: ReadonlySet<string>,
  { wasInterrupted }: Pick<ConnectionWatch, "wasInterrupted">,
): void {
  const { api, faults, world } = scene;
  const isDisturbed = (ms: number) =>
    faults.some(
      ({ kind, fromMs, untilMs }) =>
        (OWN_FAULTS as readonly string[]).includes(kind) &&
        fromMs - HOUR_MS < ms &&
        ms < untilMs + HOUR_MS,
    );
  for (const { rows, company, arrivedMs, dateMs, isCounted } of createWholeAnswers()(scene)) {
    if (!isCounted || isDisturbed(arrivedMs) || arrivedMs < world.startMs + HOUR_MS) continue;
    // What was on its way is given up.
    if (wasInterrupted(company, arrivedMs)) continue;
    for (const { id, attributes } of rows) {
      if (attributes.last_updated_at === null) continue;
      const givenMs = Date.parse(attributes.last_updated_at);
      // By a clock that is wrong nothing is learned: another answer, with the right one, has to tell of it too.
      if (givenMs > dateMs + CREDIBLE_MS) continue;
      const trueMs = givenMs - api.skewMs(company);
      if (trueMs < world.startMs) continue;
      if (!recorded.has(`${company} ${id} ${trueMs}`))
        throw new Broken(
          "record",
          `the API told of data of ${company} ${id} at ${attributes.last_updated_at}, which isn't recorded`,
        );
    }
  }
}
