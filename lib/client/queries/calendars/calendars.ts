import type { QueryClient } from "@tanstack/react-query";
import { post, remove } from "@/lib/client/change";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { CalendarsView, MadeCalendar } from "@/lib/contracts/lists/calendars";
import { isNothing, resource } from "@/lib/client/queries/resource";

const EVERY_MS = 30_000;
const calendars = resource("calendars");

/** Links to a company's calendar: one's own, all for administrators. */
export const calendarsQuery = (company: string) =>
  calendars.list<CalendarsView>(companyPath(company, "calendars", {}), EVERY_MS);

/** @throws ApiError; 409 if there are too many */
export function makeCalendar(client: QueryClient, company: string): Promise<MadeCalendar> {
  return calendars.changed(client, post(companyPath(company, "calendars", {}), {}, isMade));
}

/** @throws ApiError */
export function revokeCalendar(client: QueryClient, company: string, id: string): Promise<unknown> {
  const path = companyPath(company, `calendars/${encodeURIComponent(id)}`, {});
  return calendars.changed(client, remove(path, isNothing));
}

function isMade(body: unknown): body is MadeCalendar {
  return isRecord(body) && typeof body["url"] === "string";
}
