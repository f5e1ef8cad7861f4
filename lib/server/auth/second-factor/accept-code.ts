import { secondsToWait } from "@/lib/server/auth/attempts";
import type { Database } from "@/lib/server/store/database";
import { DAILY, uncountAttempt } from "@/lib/server/store/people/sign-in-attempts";
import { DAY_MS } from "@/lib/domain/time/units";
import { isAppCode, type CodeKind, type SecondFactors } from "./second-factors";

/** Wrong codes of the authenticator app per client that is known to the account, and for all unknown ones together. */
export const WRONG_CODES = { lengthMs: DAY_MS, limit: 30 } as const;

/**
 * Verifies a code and uses it up. Wrong codes of the app are limited per day. Recovery codes are too long to be guessed,
 * so they are accepted beyond that limit.
 * @param given.bucket key of the counter, without its period
 * @returns `waitSeconds`: over the limit, so nothing was verified
 */
export async function acceptCode(
  { database, secondFactors }: { database: Database; secondFactors: Pick<SecondFactors, "accept"> },
  given: { personId: string; code: string; bucket: string; nowMs: number },
): Promise<CodeKind | "wrong" | { waitSeconds: number }> {
  const { personId, code, nowMs } = given;
  if (!isAppCode(code)) return (await secondFactors.accept(personId, code)) ?? "wrong";
  const bucket = `${given.bucket} codes${DAILY}`;
  const waitSeconds = await secondsToWait(database, bucket, { nowMs, ...WRONG_CODES });
  if (waitSeconds !== null) return { waitSeconds };
  const kind = await secondFactors.accept(personId, code);
  if (kind === null) return "wrong";
  await uncountAttempt(database, bucket);
  return kind;
}
