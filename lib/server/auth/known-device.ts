import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/**
 * Browsers in which an account has signed in before. The cookie grants one thing: password attempts for that account
 * that are limited separately, so other clients can't use them up.
 */
export type KnownDevices = {
  /** @param account the account's name in limits */
  issue(account: string): string;
  /**
   * The device id in a cookie's value; null: missing, forged, or issued for another account.
   * Takes the same time for an account that doesn't exist.
   */
  read(value: string | undefined, account: string): string | null;
};

const RANDOM_BYTES = 16;
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

export function createKnownDevices(authSecret: string): KnownDevices {
  const key = Buffer.from(hkdfSync("sha256", authSecret, "", "plumbline known devices", 32));
  const signatureOf = (device: string, account: string) =>
    createHmac("sha256", key).update(`${device} ${account}`).digest();
  return {
    issue(account) {
      const device = randomBytes(RANDOM_BYTES).toString("base64url");
      return `${device}.${signatureOf(device, account).toString("base64url")}`;
    },
    read(value = "", account) {
      const [, device = "", signature = ""] = VALUE.exec(value) ?? [];
      const given = Buffer.from(signature, "base64url");
      const own = signatureOf(device, account);
      return given.length === own.length && timingSafeEqual(given, own) ? device : null;
    },
  };
}
