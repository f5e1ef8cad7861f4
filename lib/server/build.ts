import { readFile } from "node:fs/promises";
import path from "node:path";

/**
 * The id of the build. Displays reload when it changes.
 * @param directory the project directory, which contains `.next`
 * @returns Next's build id; `development` in development
 */
export async function readBuild(directory: string, isDevelopment: boolean): Promise<string> {
  if (isDevelopment) return "development";
  return (await readFile(path.join(directory, ".next/BUILD_ID"), "utf8")).trim();
}
