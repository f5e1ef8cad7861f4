import { DAY_MS } from "@/lib/domain/time/units";

/** A token of a person from the identity provider rests after this long without a sign-in. */
export const RESTS_AFTER_MS = 30 * DAY_MS;
/** They are told this long before. */
export const TOLD_BEFORE_MS = 7 * DAY_MS;

/**
 * When a token starts to rest unless its person signs in, epoch milliseconds.
 * @param signedInMs last sign-in; null: none is known since the token was created
 * @returns null: never, because it belongs to a local account or to no person
 */
export function restsAt({
  isFromProvider,
  createdMs,
  signedInMs,
}: {
  isFromProvider: boolean;
  createdMs: number;
  signedInMs: number | null;
}): number | null {
  if (!isFromProvider) return null;
  // Creating a token requires a recent sign-in.
  return Math.max(createdMs, signedInMs ?? createdMs) + RESTS_AFTER_MS;
}
