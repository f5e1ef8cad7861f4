import { LOCKS, lockUntilCommit } from "@/lib/server/store/locks";
import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import {
  changePassword,
  createPerson,
  findAccount,
  findOldestAdministrator,
} from "@/lib/server/store/people/people";
import { generatePassword, hashPassword, passwordMatches } from "./passwords";

/**
 * Sees to it that somebody can sign in.
 *
 * Without an enabled administrator `ADMIN_EMAIL` becomes one. `ADMIN_PASSWORD`, when given, is the
 * password of `ADMIN_EMAIL` at every start: changing the variable changes the password, ends that
 * person's sessions, and is the way back in when nobody else knows one. A disabled account stays disabled.
 * @returns the address to sign in with, and the password only when it was generated just now
 */
export async function ensureFirstAdministrator({
  config,
  database,
  clock,
}: {
  config: { adminEmail: string; adminPassword: string | null };
  database: Database;
  clock: Clock;
}): Promise<{ email: string; password: string | null }> {
  const email = config.adminEmail.trim().toLowerCase();
  return database.orm.transaction(async (orm) => {
    await lockUntilCommit(orm, LOCKS.firstAdministrator);
    const existing = await findAccount(orm, email, "", 0);
    const administrator = await findOldestAdministrator(orm);

    if (existing) {
      const { passwordHash } = existing;
      if (config.adminPassword !== null && passwordHash !== null) {
        if (!(await passwordMatches(passwordHash, config.adminPassword))) {
          const changed = await hashPassword(config.adminPassword);
          await changePassword(orm, existing.id, changed, clock.nowMs());
        }
      }
      return { email, password: null };
    }
    if (administrator !== null && config.adminPassword === null) {
      return { email: administrator, password: null };
    }
    const password = config.adminPassword ?? generatePassword();
    await createPerson(orm, {
      email,
      name: "Administrator",
      grants: [{ role: "administrator", company: null }],
      passwordHash: await hashPassword(password),
    });
    return { email, password: config.adminPassword === null ? password : null };
  });
}
