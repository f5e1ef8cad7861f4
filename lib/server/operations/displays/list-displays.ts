import type { DisplaysView } from "@/lib/contracts/wall";
import { readDisplays } from "@/lib/server/store/displays/displays";
import { displayView, type DisplayRuntime } from "./display-view";

/** All displays, including revoked ones, oldest first: `GET /api/displays`. */
export async function listDisplays({
  database,
  build,
}: Pick<DisplayRuntime, "database" | "build">): Promise<DisplaysView> {
  const rows = await readDisplays(database);
  return { displays: rows.map(displayView), build };
}
