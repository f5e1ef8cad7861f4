import { post } from "@/lib/client/change";
import { isRecord } from "@/lib/client/snapshot";
import type { Pausable } from "@/lib/domain/pause";

/**
 * Lets something go on that was paused, for all companies.
 * @throws ApiError; with status 0 it may have been done all the same
 */
export async function resume(what: Pausable): Promise<void> {
  await post(`/pauses/${what}/resume`, {}, isRecord);
}
