import { run } from "@/scripts/steps.mjs";

/** `kill -9` at every step between what happened and the row that says that it was told, again and again. */
export function deliveries(repeats: number): boolean {
  return run(
    "npm",
    ["exec", "--no", "--", "vitest", "run", "--project=integration", "lib/server/delivery/killed"],
    { SOAK_REPEATS: String(repeats) },
  );
}
