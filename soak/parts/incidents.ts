import { run } from "@/scripts/steps.mjs";

/** `kill -9` of the leader at every step of each check, again and again: its incidents are those of the record. */
export function incidents(repeats: number): boolean {
  return run(
    "npm",
    ["exec", "--no", "--", "vitest", "run", "--project=integration", "lib/server/collector/killed"],
    { SOAK_REPEATS: String(repeats) },
  );
}
