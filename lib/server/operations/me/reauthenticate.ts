import { ReauthenticationRequest, type Reauthentication } from "@/lib/contracts/me";
import { Failure } from "@/lib/contracts/failure";
import { appendInstallationEvents } from "@/lib/server/store/audit/installation-log";
import {
  checkOwnPassword,
  prepareRenewal,
  type Caller,
  type OwnAccountRuntime,
} from "./own-account";
import { NO_PASSWORD, NOT_LOCAL } from "./words";

/**
 * Confirms the identity of a person with a local account: `POST /api/me/reauthentication`. Wrong
 * passwords and codes are counted per session. Afterwards the session has a new secret, so that a
 * stolen old one gains nothing.
 * @param given.cookie the request's header
 * @returns the `Set-Cookie` of the new secret; null when another request of the same browser has
 *   just got one
 * @throws Failure `invalid_request`; `conflict` for a provider's account and, with the right
 *   password, where local accounts can't sign in; `wrong_password`; `code_required`; `wrong_code`;
 *   `too_many_requests`; `not_found` when the session ended meanwhile
 */
export async function reauthenticate(
  runtime: Omit<OwnAccountRuntime, "appUrl" | "mailer">,
  given: Caller & { cookie: string | null; body: unknown },
): Promise<{ proven: Reauthentication; setCookie: string | null }> {
  const { person, session, address, cookie } = given;
  const parsed = ReauthenticationRequest.safeParse(given.body);
  if (!parsed.success) throw new Failure("invalid_request", NO_PASSWORD);
  if (person.kind !== "local") throw new Failure("conflict", NOT_LOCAL);
  const { password, code } = parsed.data;
  const purpose = "reauthentication";
  await checkOwnPassword(runtime, { person, session, address }, { password, code, purpose });
  const renewal = await prepareRenewal(runtime, { person, session, cookie, isProven: true });
  const { id, name, email } = person;
  const renewed = await runtime.database.orm.transaction(async (tx) => {
    const done = await renewal.renew(tx);
    await appendInstallationEvents(tx, runtime.clock.nowMs(), [
      {
        kind: "session",
        action: "reauthenticate",
        person: { id, name, email },
        subject: email,
        detail: { what: purpose, address },
      },
    ]);
    return done;
  });
  runtime.securityLog.record("reauthenticated", { address, person });
  return {
    proven: { authenticated_at: new Date(renewal.atMs).toISOString() },
    setCookie: await renewal.setCookie(renewed),
  };
}
