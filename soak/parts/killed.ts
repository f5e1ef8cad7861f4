import { run } from "@/scripts/steps.mjs";

/**
 * Repeats `kill -9` at every step of some work.
 * @param folder of the test that does it once
 */
export const killed =
  (folder: string) =>
  (repeats: number): boolean =>
    run("npm", ["exec", "--no", "--", "vitest", "run", "--project=long", `${folder}/killed`], {
      SOAK_REPEATS: String(repeats),
    });
