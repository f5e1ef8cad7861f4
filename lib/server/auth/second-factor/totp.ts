import { Secret, TOTP } from "otpauth";

/** Named in authenticator apps beside the account. */
const ISSUER = "Plumbline";
/** RFC 6238 with the parameters that every authenticator app supports. */
const PARAMETERS = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Steps that the app's clock may be off, either way. */
const DRIFT_STEPS = 1;
const SECRET_BYTES = 20;
const CODE = /^\d{6}$/;

/** Whether a text has the form of an app's code. */
export function isTotpCode(text: string): boolean {
  return CODE.test(text);
}

/** A new TOTP secret: 160 random bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/**
 * The `otpauth://` URI that authenticator apps scan.
 * @param account shown in the app, such as an email address
 */
export function totpUri(secret: string, account: string): string {
  return new TOTP({ ...PARAMETERS, issuer: ISSUER, label: account, secret }).toString();
}

/**
 * The time step of a code, which may be one before or after the current one.
 * @param code any text; only six digits can be a code
 * @param nowMs epoch milliseconds
 * @returns null: the code is of none of these steps
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  if (!isTotpCode(code)) return null;
  const totp = new TOTP({ ...PARAMETERS, secret });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: DRIFT_STEPS });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}
