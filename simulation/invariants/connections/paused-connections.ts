import { trustOf, type Trust } from "@/components/wall/trust";
import { confidenceNow } from "@/lib/domain/confidence";
import { Broken, type Scene } from "../../simulation";
import { learnedMs, type ConnectionWatch } from "./connection-watch";

/** While a connection is paused, its API gets no request, and no screen shows its company as live. */
export function createPausedConnectionsCheck({
  pausedSinceMs,
}: Pick<ConnectionWatch, "pausedSinceMs">) {
  let checked = 0;
  return (scene: Scene): void => {
    const { api, time } = scene;
    const knownMs = (company: string) => learnedMs(scene, pausedSinceMs.get(company) ?? Infinity);
    for (; checked < api.seen.length; checked += 1) {
      const one = api.seen[checked];
      if (one?.company !== null && one !== undefined && one.atMs > knownMs(one.company))
        throw new Broken(
          "paused connections",
          `${one.company} got ${one.method} ${one.path} while it was paused`,
        );
    }
    for (const company of pausedSinceMs.keys()) {
      const lateMs = time.nowMs() - knownMs(company);
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
      : { on: name, state: trustOf(own, screen).state };
  });

function checkScreens(company: string, screens: readonly Screen[]): void {
  const live = screens.find(({ state }) => state === "live");
  if (live !== undefined)
    throw new Broken("paused connections", `${company} is live on ${live.on} while it is paused`);
}
