import { remove } from "@/lib/client/change";
import { isRecord } from "@/lib/client/snapshot";
import type { DemoRemoval } from "@/lib/contracts/connections";

/**
 * Removes the demo for good.
 * @throws ApiError; with status 0 it may still have been removed
 */
export async function removeDemo(): Promise<void> {
  await remove(
    "/demo",
    (body): body is DemoRemoval => isRecord(body) && typeof body["state"] === "string",
  );
}
