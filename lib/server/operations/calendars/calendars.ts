import { randomUUID } from "node:crypto";
import { Failure } from "@/lib/contracts/failure";
import {
  CalendarRequest,
  type CalendarsView,
  type MadeCalendar,
} from "@/lib/contracts/lists/calendars";
import type { Auth } from "@/lib/server/auth/auth";
import { isOpen } from "@/lib/server/auth/calendars/calendars";
import type { Person } from "@/lib/server/auth/person";
import { secretHash } from "@/lib/server/auth/secret";
import { newShareToken } from "@/lib/server/auth/share-token";
import type { Clock } from "@/lib/server/clock";
import { isUuid, notValid } from "@/lib/server/http/query";
import { connectedName } from "@/lib/server/operations/connections/connected-name";
import { whoseOf } from "@/lib/server/operations/links/link-view";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Change } from "@/lib/server/store/audit/audited";
import {
  insertCalendar,
  listCalendars as list,
  revokeCalendar as revoke,
} from "@/lib/server/store/calendars/calendars";
import type { Database } from "@/lib/server/store/database";
import { NO_CALENDAR, NOT_OF_CALENDARS, TOO_MANY_CALENDARS } from "./words";

type Runtime = {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "time" | "access">;
  authSecret: string;
  securityLog: SecurityLog;
  readonly connections: readonly { company: string; name: string }[];
};
type Given = { company: string; person: Person };

/** Of one person and company that aren't revoked. */
export const MAX_CALENDARS = 20;

/** Calendars of a company: `GET .../calendars`. One's own, newest first; all for administrators. */
export async function listCalendars(
  { database, auth }: Pick<Runtime, "database" | "auth">,
  { company, person }: Given,
): Promise<CalendarsView> {
  const rows = await list(database, { company, whose: whoseOf(person) });
  return {
    data: rows.map((row) => ({
      id: row.id,
      made_by: { name: row.maker.name, is_you: row.maker.id === person.id },
      created_at: row.createdAt.toISOString(),
      is_open: isOpen(row, auth.access),
    })),
  };
}

/**
 * Creates a link to a calendar: `POST .../calendars`. Only this response contains the address.
 * @param given.origin origin of the link
 * @param given.address the client's true address
 * @throws Failure `invalid_request`; `not_found` for a company that is no longer connected; `conflict` after too many
 */
export async function makeCalendar(
  runtime: Runtime,
  given: Given & { address: string; origin: string; body: unknown },
): Promise<MadeCalendar> {
  const { company, person, address, origin } = given;
  const parsed = CalendarRequest.safeParse(given.body ?? {});
  if (!parsed.success) throw notValid(parsed.error, NOT_OF_CALENDARS);
  if (connectedName(runtime.connections, company) === null)
    throw new Failure("not_found", NO_CALENDAR);
  const { ms } = await runtime.auth.time.now();
  const token = newShareToken(runtime.authSecret, "calendar");
  const id = await insertCalendar(
    runtime.database,
    { company, tokenHash: secretHash(token), madeBy: person.id, createdAt: new Date(ms) },
    { change: changeBy(runtime, person), most: MAX_CALENDARS },
  );
  if (id === null) throw new Failure("conflict", TOO_MANY_CALENDARS);
  runtime.securityLog.record("share_link_made", { address, person }, { link: id });
  return { id, url: `${origin}/calendar/${token}.ics` };
}

/**
 * Revokes a calendar: `DELETE .../calendars/[id]`. Its address is answered like a missing one at once; a revoked one is
 * unchanged.
 * @param given.address the client's true address
 * @throws Failure `not_found`
 */
export async function revokeCalendar(
  runtime: Runtime,
  { company, person, id, address }: Given & { id: string; address: string },
): Promise<Response> {
  if (!isUuid(id)) throw new Failure("not_found", NO_CALENDAR);
  const { ms } = await runtime.auth.time.now();
  const done = await revoke(
    runtime.database,
    { company, id, whose: whoseOf(person) },
    { change: changeBy(runtime, person), at: new Date(ms) },
  );
  if (done === "missing") throw new Failure("not_found", NO_CALENDAR);
  if (done === "revoked")
    runtime.securityLog.record("share_link_revoked", { address, person }, { link: id });
  return new Response(null, { status: 204 });
}

function changeBy({ clock }: Pick<Runtime, "clock">, { id, name, email }: Person): Change {
  return { person: { id, name, email }, requestId: randomUUID(), nowMs: clock.nowMs() };
}
