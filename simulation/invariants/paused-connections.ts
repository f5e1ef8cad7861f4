import { trustOf, type Trust } from "@/components/wall/trust";
import { confidenceNow } from "@/lib/domain/confidence";
import type { FaultKind } from "../faults";
import { Broken, type Scene } from "../simulation";
import type { PauseWatch } from "./pause-watch";

/** With these an instance doesn't learn at once that a connection is paused. */
const DEAFENING: ReadonlySet<FaultKind> = new Set([
  "hang_process",
  "database_away",
  "database_hangs",
  "database_full",
  "restore",
]);
/** An instance asks every three seconds, and completes requests that are on their way; a wall is told within two minutes. */
const LEARNED_WITHIN_MS = 5 * 60_000;

/** While a connection is paused, its API gets no request, and no screen shows its company as live. */
export function createPausedConnectionsCheck({ pausedSinceMs }: PauseWatch) {
  let checked = 0;
  return (scene: Scene): void => {
    const { api, time } = scene;
    const deafMs = deafUntilMs(scene);
    const learnedMs = (company: string) =>
      Math.max(pausedSinceMs.get(company) ?? Infinity, deafMs) +
      scene.longestDelayMs +
      LEARNED_WITHIN_MS;
    for (; checked < api.seen.length; checked += 1) {
      const one = api.seen[checked];
      if (one?.company !== null && one !== undefined && one.atMs > learnedMs(one.company))
        throw new Broken(
          "paused connections",
          `${one.company} got ${one.method} ${one.path} while it was paused`,
        );
    }
    for (const company of pausedSinceMs.keys()) {
      const lateMs = time.nowMs() - learnedMs(company);
      if (lateMs > 0) checkScreens(company, instanceScreens(scene, company));
      // A wall that lost its network believes the last response until the next one is overdue.
      if (lateMs > scene.longestDelayMs) checkScreens(company, wallScreens(scene, company));
    }
  };
}

type Screen = { on: string; state: Trust["state"] };

const instanceScreens = ({ instances }: Scene, company: string): Screen[] =>
  instances()
    .filter((one) => !one.isHanging())
    .map((one) => ({ on: one.name, state: confidenceNow(one.view(company).source, one.nowMs()) }));

const wallScreens = ({ walls }: Scene, company: string): Screen[] =>
  walls.flatMap(({ name, now }) => {
    const screen = now();
    const own = screen?.companies.find(({ slug }) => slug === company);
    return screen === null || own === undefined
      ? []
      : { on: name, state: trustOf(own, screen.nowMs).state };
  });

function checkScreens(company: string, screens: readonly Screen[]): void {
  const live = screens.find(({ state }) => state === "live");
  if (live !== undefined)
    throw new Broken("paused connections", `${company} is live on ${live.on} while it is paused`);
}

/** The end of the last fault, true time in epoch milliseconds, during which a pause may go unnoticed. */
function deafUntilMs({ faults, time }: Scene): number {
  const over = faults.flatMap(({ kind, fromMs, untilMs }) =>
    DEAFENING.has(kind) && fromMs <= time.nowMs() ? untilMs : [],
  );
  return over.reduce((last, ms) => Math.max(last, ms), -Infinity);
}
