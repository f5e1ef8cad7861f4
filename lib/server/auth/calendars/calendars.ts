import type { Clock } from "@/lib/server/clock";
import type { AuthSecrets } from "@/lib/server/keys";
import type { SecurityLog } from "@/lib/server/security-log";
import { readCalendar, type ListedCalendar } from "@/lib/server/store/calendars/calendars";
import type { Database } from "@/lib/server/store/database";
import { holds, type Access } from "@/lib/server/auth/access";
import { secretHash } from "@/lib/server/auth/secret";
import { WRONG_TOKENS } from "@/lib/server/auth/share-links";
import { createShareTokenCheck } from "@/lib/server/auth/share-token";
import { createWrongCredentials } from "@/lib/server/auth/wrong-credentials";

export type CalendarIdentity =
  | { state: "known"; id: string; company: string }
  /** No such calendar, revoked, or its creator can't share the company now. */
  | { state: "unknown" }
  /** The client has sent too many invalid tokens. */
  | { state: "limited"; retryAfterSeconds: number };

export type Calendars = {
  /**
   * Looks up a calendar by its token, in the database unless its signature is wrong. Throws database errors.
   * @param token from the URL
   * @param address the client address
   */
  identify(token: string, address: string): Promise<CalendarIdentity>;
};

/** Calendars, whose links work without an account. */
export function createCalendars({
  authSecrets,
  database,
  access,
  clock,
  securityLog,
}: {
  authSecrets: AuthSecrets;
  database: Database;
  access: Access;
  clock: Clock;
  securityLog: SecurityLog;
}): Calendars {
  const isToken = createShareTokenCheck(authSecrets, "calendar");
  const wrong = createWrongCredentials(clock, WRONG_TOKENS);
  return {
    async identify(token, address) {
      const found = isToken(token) ? await readCalendar(database, secretHash(token)) : null;
      if (found !== null && isOpen(found, access))
        return { state: "known", id: found.id, company: found.company };
      securityLog.record("share_link_refused", { address }, { why: "unknown" });
      const retryAfterSeconds = wrong.count(address);
      return retryAfterSeconds === null
        ? { state: "unknown" }
        : { state: "limited", retryAfterSeconds };
    },
  };
}

/** Whether its creator may share the company now. */
export function isOpen({ maker, company }: ListedCalendar, access: Access): boolean {
  return holds(access, maker, "share-links", company);
}
