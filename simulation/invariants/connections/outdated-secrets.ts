import { Broken, type Scene } from "../../simulation";
import { learnedMs, type ConnectionWatch } from "./connection-watch";

/** Once a person has entered another secret, the API no longer gets the previous one. */
export function createOutdatedSecretsCheck({ secrets }: Pick<ConnectionWatch, "secrets">) {
  let checked = 0;
  return (scene: Scene): void => {
    const { seen } = scene.api;
    for (; checked < seen.length; checked += 1) {
      const { company = null, secret = null, atMs = 0 } = seen[checked] ?? {};
      const own = company === null ? undefined : secrets.get(company);
      if (secret === null || own === undefined || own.secret === secret) continue;
      if (atMs > learnedMs(scene, own.sinceMs))
        throw new Broken(
          "outdated secrets",
          `${company} was asked with a secret that had been replaced`,
        );
    }
  };
}
