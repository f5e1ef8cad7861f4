import { run } from "@/scripts/steps.mjs";

/** `kill -9` at every step between the intent to delete a file and its outcome, again and again. */
export function deletions(repeats: number): boolean {
  return run(
    "npm",
    ["exec", "--no", "--", "vitest", "run", "--project=integration", "lib/server/deletions/killed"],
    { SOAK_REPEATS: String(repeats) },
  );
}
