import { appendInstallationEvents } from "@/lib/server/store/audit/installation-log";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import {
  createPerson,
  findAccount,
  findOldestAdministrator,
} from "@/lib/server/store/people/people";
import type { LocalSignIn } from "./password-sign-in";
import type { PasswordMeter } from "./password-meter";
import { weaknessOf } from "./password-strength";
import { generatePassword, hashPassword } from "./passwords";

/**
 * Ensures that an administrator can sign in.
 *
 * Creates the account `ADMIN_EMAIL` when no local administrator can sign in, or when `ADMIN_PASSWORD` is set, which
 * becomes its initial password. An existing account is never changed.
 * @returns the email address to sign in with; `password` only if this call generated it
 */
export async function ensureFirstAdministrator({
  config,
  database,
  clock,
  log,
  passwordMeter,
}: {
  config: {
    adminEmail: string;
    adminPassword: string | null;
    localSignIn: LocalSignIn["who"];
  };
  database: Database;
  clock: Clock;
  log: Log;
  passwordMeter: PasswordMeter;
}): Promise<{ email: string; password: string | null }> {
  const email = config.adminEmail.trim().toLowerCase();
  return database.orm.transaction(async (tx) => {
    await lockUntilCommit(tx, LOCKS.firstAdministrator);
    if ((await findAccount(tx, email, "", 0)) !== null) return { email, password: null };
    // With local sign-in off, ADMIN_EMAIL is the only local account that can sign in.
    const administrator = config.localSignIn === "off" ? null : await findOldestAdministrator(tx);
    if (administrator !== null && config.adminPassword === null) {
      return { email: administrator, password: null };
    }
    const password = config.adminPassword ?? generatePassword();
    const isWeak = async (given: string) =>
      (await weaknessOf(passwordMeter, given, [email, "Administrator", "Plumbline"])) !== null;
    if (config.adminPassword !== null && (await isWeak(config.adminPassword))) {
      log.warn(
        { event: "admin_password_weak" },
        "ADMIN_PASSWORD is short or easy to guess: choose another one after signing in",
      );
    }
    await createPerson(tx, {
      email,
      name: "Administrator",
      grants: [{ role: "administrator", company: null }],
      passwordHash: await hashPassword(password),
      passwordPrintedAt: config.adminPassword === null ? new Date(clock.nowMs()) : null,
    });
    await appendInstallationEvents(tx, clock.nowMs(), [
      {
        kind: "person",
        action: "create",
        person: null,
        subject: email,
        detail: { because: "first administrator" },
      },
    ]);
    return { email, password: config.adminPassword === null ? password : null };
  });
}
