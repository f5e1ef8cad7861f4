import type { Clock } from "@/lib/server/clock";
import type { AuthSecrets } from "@/lib/server/keys";
import type { SecurityLog } from "@/lib/server/security-log";
import { readCalendar, type ListedCalendar } from "@/lib/server/store/calendars/calendars";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { Database } from "@/lib/server/store/database";
import { holds, type Access } from "@/lib/server/auth/access";
import { createRevalidatingCache, readSingly } from "@/lib/server/auth/revalidating-cache";
import { secretHash } from "@/lib/server/auth/secret";
import { WRONG_TOKENS } from "@/lib/server/auth/share-links";
import { createShareTokenCheck } from "@/lib/server/auth/share-token";
import { createWrongCredentials } from "@/lib/server/auth/wrong-credentials";

/** Calendars in the cache. */
const REMEMBERED = 1_000;

export type CalendarIdentity =
  | { state: "known"; id: string; company: string }
  /** No such calendar, revoked, or its creator can't share the company now. */
  | { state: "unknown" }
  /** The client has sent too many invalid tokens. */
  | { state: "limited"; retryAfterSeconds: number }
  /** The database doesn't answer, and the calendar wasn't read lately. */
  | { state: "unavailable" };

export type Calendars = {
  /**
   * Looks up a calendar by its token; synchronously if it was read within `RECHECK_MS`. Never throws.
   * @param token from the URL
   * @param address the client address
   */
  identify(token: string, address: string): MaybePromise<CalendarIdentity>;
  /** Removes calendars from the cache. @param payload as for `ShareLinks.forget` */
  forget(payload: string | null): void;
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
  const rows = createRevalidatingCache({
    read: readSingly(async (tokenHash) => {
      const found = await readCalendar(database, tokenHash);
      return found === null ? null : { ...found, lastsMs: Number.POSITIVE_INFINITY };
    }),
    what: "links",
    clock,
    securityLog,
    most: REMEMBERED,
  });

  function refused(address: string): CalendarIdentity {
    securityLog.record("share_link_refused", { address }, { why: "unknown" });
    const retryAfterSeconds = wrong.count(address);
    return retryAfterSeconds === null
      ? { state: "unknown" }
      : { state: "limited", retryAfterSeconds };
  }

  return {
    identify(token, address) {
      // Before anything is read: a calendar that is over has a good signature too.
      const retryAfterSeconds = wrong.secondsToWait(address);
      if (retryAfterSeconds !== null) return { state: "limited", retryAfterSeconds };
      if (!isToken(token)) return refused(address);
      return andThen(rows.check(secretHash(token), true), (checked): CalendarIdentity => {
        if (checked.state === "unavailable") return checked;
        if (checked.state === "unknown" || !isOpen(checked.value, access)) return refused(address);
        return { state: "known", id: checked.value.id, company: checked.value.company };
      });
    },
    forget(payload) {
      for (const key of payload?.split(" ") ?? []) rows.forget(key);
    },
  };
}

/** Whether its creator may share the company now. */
export function isOpen({ maker, company }: ListedCalendar, access: Access): boolean {
  return holds(access, maker, "share-links", company);
}
