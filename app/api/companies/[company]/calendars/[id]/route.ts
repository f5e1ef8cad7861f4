import { route } from "@/lib/server/gate/route";
import { revokeCalendar } from "@/lib/server/operations/calendars/calendars";

export const DELETE = route(
  { right: "share-links", mutation: true },
  ({ runtime, company, person, address, params: { id = "" } }) =>
    revokeCalendar(runtime, { company, person, id, address }),
);
