import { Failure } from "@/lib/contracts/failure";
import { CodeRequest, type Enrolment, type RecoveryCodes } from "@/lib/contracts/me";
import { changePeople } from "@/lib/server/store/people/administration";
import { removeSecondFactor } from "@/lib/server/store/people/second-factors";
import { mailNotice } from "./notice-mail";
import { checkOwnCode, type Caller, type OwnAccountRuntime } from "./own-account";
import { ALREADY_ON, NO_CODE, NOT_LOCAL, NOT_ON, START_AGAIN, WRONG_CODE } from "./words";

/**
 * Starts the enrolment of an authenticator app: `POST /api/me/second-factor`. It isn't on until a code confirms it.
 * @throws Failure `conflict` when one is on already, and for a provider's account
 */
export async function startSecondFactor(
  { auth }: Pick<OwnAccountRuntime, "auth">,
  { person }: Pick<Caller, "person">,
): Promise<Enrolment> {
  requireLocal(person);
  const enrolment = await auth.secondFactors.start(person);
  if (enrolment === null) throw new Failure("conflict", ALREADY_ON);
  return enrolment;
}

/**
 * Turns the enrolled authenticator app on: `PUT /api/me/second-factor`.
 * @returns recovery codes, which are only returned here
 * @throws Failure `invalid_request`; `wrong_code`; `conflict` without an enrolment, and for a provider's account
 */
export async function confirmSecondFactor(
  runtime: OwnAccountRuntime,
  { person, address, body }: Caller & { body: unknown },
): Promise<RecoveryCodes> {
  requireLocal(person);
  const code = codeOf(body);
  const codes = await changeOwn(runtime, person, async (change) => {
    const confirmed = await runtime.auth.secondFactors.confirm(change.tx, person.id, code);
    if (confirmed === null) {
      const isOn = (await runtime.auth.secondFactors.read(person.id)) !== null;
      throw new Failure("conflict", isOn ? ALREADY_ON : START_AGAIN);
    }
    if (confirmed === "wrong") throw new Failure("wrong_code", WRONG_CODE);
    change.log({ action: "second-factor-on", subject: person.email });
    return confirmed;
  });
  runtime.securityLog.record("second_factor_on", { address, person });
  mailNotice(runtime, person, "second-factor-on");
  return { recovery_codes: [...codes] };
}

/**
 * Turns the caller's second factor off: `DELETE /api/me/second-factor`.
 * @throws Failure `invalid_request`; `wrong_code`; `too_many_requests`; `conflict` when it is off
 */
export async function turnOffSecondFactor(
  runtime: OwnAccountRuntime,
  { person, session, address, body }: Caller & { body: unknown },
): Promise<{ on: false }> {
  const code = codeOf(body);
  await requireOn(runtime, person);
  await checkOwnCode(runtime, { person, session, address }, code);
  await changeOwn(runtime, person, async (change) => {
    if (!(await removeSecondFactor(change.tx, person.id))) throw new Failure("conflict", NOT_ON);
    change.log({ action: "second-factor-off", subject: person.email });
  });
  runtime.securityLog.record("second_factor_off", { address, person });
  mailNotice(runtime, person, "second-factor-off");
  return { on: false };
}

/**
 * Replaces the caller's recovery codes: `POST /api/me/second-factor/recovery-codes`.
 * @returns new ones, which are only returned here
 * @throws Failure `conflict` when no second factor is on
 */
export async function renewRecoveryCodes(
  runtime: OwnAccountRuntime,
  { person, address }: Pick<Caller, "person" | "address">,
): Promise<RecoveryCodes> {
  const codes = await changeOwn(runtime, person, async (change) => {
    await requireOn(runtime, person);
    change.log({ action: "renew-recovery-codes", subject: person.email });
    return runtime.auth.secondFactors.renewRecoveryCodes(change.tx, person.id);
  });
  runtime.securityLog.record("recovery_codes_renewed", { address, person });
  mailNotice(runtime, person, "recovery-codes");
  return { recovery_codes: [...codes] };
}

function requireLocal({ kind }: Caller["person"]): void {
  if (kind !== "local") throw new Failure("conflict", NOT_LOCAL);
}

async function requireOn(
  { auth }: Pick<OwnAccountRuntime, "auth">,
  { id }: Caller["person"],
): Promise<void> {
  if ((await auth.secondFactors.read(id)) === null) throw new Failure("conflict", NOT_ON);
}

function codeOf(body: unknown): string {
  const parsed = CodeRequest.safeParse(body);
  if (!parsed.success) throw new Failure("invalid_request", NO_CODE);
  return parsed.data.code;
}

function changeOwn<T>(
  { database, clock }: OwnAccountRuntime,
  { id, name, email }: Caller["person"],
  work: Parameters<typeof changePeople<T>>[2],
): Promise<T> {
  return changePeople(database, { by: { id, name, email }, nowMs: clock.nowMs() }, work);
}
