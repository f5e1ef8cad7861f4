import { route } from "@/lib/server/gate/route";
import { listCalendars, makeCalendar } from "@/lib/server/operations/calendars/calendars";

export const GET = route({ right: "share-links", tokens: "read" }, ({ runtime, company, person }) =>
  listCalendars(runtime, { company, person }),
);

export const POST = route(
  { right: "share-links", mutation: true, status: 201 },
  ({ runtime, company, person, address, origin, body }) =>
    makeCalendar(runtime, { company, person, address, origin, body }),
);
