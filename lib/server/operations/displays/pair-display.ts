import { PairingRequest, type Display } from "@/lib/contracts/wall";
import { Failure } from "@/lib/contracts/failure";
import { typedCode } from "@/lib/domain/pairing-code";
import { secondsToWait } from "@/lib/server/auth/attempts";
import type { Person } from "@/lib/server/auth/person";
import { secretHash } from "@/lib/server/auth/secret";
import { claimPairing } from "@/lib/server/store/displays/pairings";
import { uncountAttempt } from "@/lib/server/store/people/sign-in-attempts";
import { notValid } from "@/lib/server/http/query";
import {
  actionOf,
  displayView,
  noSuchDisplay,
  settingsOf,
  type DisplayRuntime,
} from "./display-view";
import { NO_CODE, TOO_MANY_CODES } from "./words";

/** Wrong codes per person in ten minutes. */
export const WRONG_CODES = { lengthMs: 10 * 60_000, limit: 20 } as const;

/**
 * Pairs the screen whose code an administrator typed: `POST /api/displays`. The screen then fetches
 * its credential.
 * @param given.address the client's true address
 * @throws Failure `invalid_request`; `not_found` when no screen shows the code, or `replaces` is
 *   not a display; `too_many_requests` after too many wrong codes
 */
export async function pairDisplay(
  runtime: DisplayRuntime,
  { person, address, body }: { person: Person; address: string; body: unknown },
): Promise<Display> {
  const { database, securityLog } = runtime;
  const parsed = PairingRequest.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const { code, replaces, ...given } = parsed.data;
  const settings = settingsOf(runtime, given);

  // Counted before the code is checked, so that concurrent attempts can't exceed the limit.
  const bucket = `pair-code:${person.id}`;
  const { judgedMs: nowMs } = await runtime.auth.time.now();
  const waitSeconds = await secondsToWait(database, bucket, { ...WRONG_CODES, nowMs });
  if (waitSeconds !== null) {
    securityLog.record("limit_hit", { address, person }, { limit: "wrong_codes" });
    throw new Failure("too_many_requests", TOO_MANY_CODES, {
      retryAfterSeconds: waitSeconds,
    });
  }
  const claimed = await claimPairing(
    database,
    { codeHash: secretHash(typedCode(code)), settings, replaces, nowMs },
    actionOf(runtime, person),
  );
  if (claimed === "wrong-code") {
    securityLog.record("pairing_failed", { address, person });
    throw new Failure("not_found", NO_CODE);
  }
  await uncountAttempt(database, bucket);
  if (claimed === "no-such-display") throw noSuchDisplay();
  const display = { display: claimed.id, display_name: claimed.settings.name };
  securityLog.record(
    "display_paired",
    { address, person },
    { ...display, again: replaces !== null },
  );
  return displayView(claimed);
}
