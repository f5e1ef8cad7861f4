import { post } from "@/lib/client/change";
import { isRecord } from "@/lib/client/snapshot";
import type { Pausable } from "@/lib/domain/pause";

/**
 * Resumes something that is paused, for all companies.
 * @throws ApiError; with status 0 it may still have succeeded
 */
export async function resume(what: Pausable): Promise<void> {
  await post(`/pauses/${what}/resume`, {}, isRecord);
}
