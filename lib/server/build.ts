import { readFile } from "node:fs/promises";
import path from "node:path";

/**
 * What tells one build from another: screens on walls load themselves anew when it changes.
 * @param directory the project's, which holds `.next`
 * @returns Next's own id; `development` where nothing was built
 */
export async function readBuild(directory: string, isDevelopment: boolean): Promise<string> {
  if (isDevelopment) return "development";
  return (await readFile(path.join(directory, ".next/BUILD_ID"), "utf8")).trim();
}
