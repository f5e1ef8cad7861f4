import { Failure } from "@/lib/contracts/failure";
import { PasswordChange, type PasswordChanged } from "@/lib/contracts/me";
import { PASSWORD_WORDS } from "@/lib/domain/words/password-words";
import type { PasswordMeter } from "@/lib/server/auth/password-meter";
import { weaknessOf } from "@/lib/server/auth/password-strength";
import { hashPassword } from "@/lib/server/auth/passwords";
import { sessionsEnded } from "@/lib/server/store/audit/installation-log";
import { changePeople, dropLinks } from "@/lib/server/store/people/administration";
import { endOwnSessions } from "@/lib/server/store/people/own-sessions";
import { replacePassword } from "@/lib/server/store/people/people";
import { mailNotice } from "./notice-mail";
import {
  checkOwnPassword,
  prepareRenewal,
  type Caller,
  type OwnAccountRuntime,
} from "./own-account";
import { NO_PASSWORD, NOT_LOCAL } from "./words";

/**
 * Changes the caller's own password: `PUT /api/me/password`. Wrong current passwords count together with those of
 * reauthentication. Ends the person's other sessions and unused password links; this session gets a new secret. It
 * doesn't count as reauthentication, because it requires no code.
 * @param given.cookie the request's header
 * @returns the `Set-Cookie` of the new secret; null when another request of the same browser has just got one
 * @throws Failure `invalid_request`; `weak_password`; `conflict` for a provider's account and, with the right password,
 *   where local accounts can't sign in; `wrong_password`; `too_many_requests`; `not_found` when the session ended
 *   meanwhile
 */
export async function changeOwnPassword(
  runtime: OwnAccountRuntime & {
    passwordMeter: PasswordMeter;
    config: { adminEmail: string };
  },
  given: Caller & { cookie: string | null; body: unknown },
): Promise<{ changed: PasswordChanged; setCookie: string | null }> {
  const { person, session, address, cookie } = given;
  const parsed = PasswordChange.safeParse(given.body);
  if (!parsed.success) throw new Failure("invalid_request", NO_PASSWORD);
  if (person.kind !== "local") throw new Failure("conflict", NOT_LOCAL);
  const { current, next } = parsed.data;
  const purpose = "password change";
  const check = { password: current, code: null, purpose } as const;
  await checkOwnPassword(runtime, { person, session, address }, check);
  if (next.normalize("NFC") === current.normalize("NFC")) {
    throw new Failure("weak_password", PASSWORD_WORDS.unchanged);
  }
  const { id, name, email } = person;
  const ownWords = [name, email, runtime.config.adminEmail, "Plumbline"];
  const weakness = await weaknessOf(runtime.passwordMeter, next, ownWords);
  if (weakness !== null) throw new Failure("weak_password", PASSWORD_WORDS[weakness]);

  const passwordHash = await hashPassword(next);
  const renewal = await prepareRenewal(runtime, { person, session, cookie, isProven: false });
  const by = { id, name, email };
  const nowMs = runtime.clock.nowMs();
  const { renewed, ended } = await changePeople(runtime.database, { by, nowMs }, async (change) => {
    const done = await renewal.renew(change.tx);
    await replacePassword(change.tx, id, passwordHash);
    await dropLinks(change.tx, id);
    change.log({ action: "change-password", subject: email });
    const others = await endOwnSessions(change.tx, id, { allBut: session.id }, nowMs);
    const browsers = others.map(({ browser }) => browser);
    if (others.length > 0) {
      change.log(sessionsEnded({ by, whom: by, sessions: others.length, browsers }));
    }
    return { renewed: done, ended: others.length };
  });
  runtime.securityLog.record("password_changed", { address, person });
  mailNotice(runtime, person, "password");
  return { changed: { ended }, setCookie: await renewal.setCookie(renewed) };
}
