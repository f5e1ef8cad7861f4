import { randomInt } from "node:crypto";
import type { PairingView } from "@/lib/contracts/wall";
import { Failure } from "@/lib/contracts/failure";
import { CODE_ALPHABET, CODE_LENGTH } from "@/lib/domain/pairing-code";
import { secondsToWait } from "@/lib/server/auth/attempts";
import type { Auth } from "@/lib/server/auth/auth";
import { newSecret, secretHash } from "@/lib/server/auth/secret";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Database } from "@/lib/server/store/database";
import { insertPairing } from "@/lib/server/store/displays/pairings";
import { pruneAttempts } from "@/lib/server/store/people/sign-in-attempts";
import { TOO_MANY_WAITING } from "./words";

/** Dependencies of pairing. */
export type PairingRuntime = {
  database: Database;
  clock: Clock;
  auth: Auth;
  securityLog: SecurityLog;
};

/** Lifetime of a pairing code, milliseconds. */
export const PAIRING_MS = 10 * 60_000;
export const PAIRINGS_PER_MINUTE = 10;
/**
 * Codes can be requested without signing in: enough for every wall, too few to guess one. Beyond
 * this the oldest is dropped, so that a client that takes all of them can't keep a screen from
 * getting one.
 */
export const MAX_OPEN_PAIRINGS = 1_000;

/**
 * Gives a screen a code for ten minutes, and a cookie that identifies it: `POST /api/pair`.
 * @param address the client's true address
 * @throws Failure `too_many_requests` for one address
 */
export async function startPairing(
  { database, clock, auth, securityLog }: PairingRuntime,
  { address }: { address: string },
): Promise<Response> {
  const { judgedMs: nowMs } = await auth.time.now();
  const waitSeconds = await secondsToWait(database, `pair:${address}`, {
    nowMs,
    lengthMs: 60_000,
    limit: PAIRINGS_PER_MINUTE,
  });
  if (waitSeconds !== null) {
    securityLog.record("limit_hit", { address }, { limit: "pairings_per_address" });
    throw tooMany(waitSeconds);
  }
  await pruneAttempts(database, nowMs);

  const code = Array.from(
    { length: CODE_LENGTH },
    () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)],
  ).join("");
  const secret = newSecret();
  const isCrowded = await insertPairing(
    database,
    {
      codeHash: secretHash(code),
      secretHash: secretHash(secret),
      nowMs,
      expiresAtMs: nowMs + PAIRING_MS,
    },
    MAX_OPEN_PAIRINGS,
  );
  if (isCrowded) securityLog.record("limit_hit", { address }, { limit: "open_pairings" });
  securityLog.record("pairing_opened", { address });
  const view: PairingView = {
    state: "waiting",
    code,
    expires_at: new Date(clock.nowMs() + PAIRING_MS).toISOString(),
  };
  // The code is not stored in clear text; the screen sends it back with its next request.
  return Response.json(view, {
    headers: { "Set-Cookie": auth.displays.cookies.pairing.set(`${secret}.${code}`) },
  });
}

function tooMany(retryAfterSeconds: number): Failure {
  return new Failure("too_many_requests", TOO_MANY_WAITING, {
    retryAfterSeconds,
  });
}
