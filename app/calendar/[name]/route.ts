import { route } from "@/lib/server/gate/route";
import { getCalendar } from "@/lib/server/operations/calendars/get-calendar";

export const GET = route({ principal: "anyone" }, ({ runtime, request, address, params }) =>
  getCalendar(runtime, { name: params["name"] ?? "", address, request }),
);
