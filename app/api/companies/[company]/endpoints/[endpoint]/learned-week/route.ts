import { route } from "@/lib/server/gate/route";
import { getLearnedWeek, putLearnedWeek } from "@/lib/server/operations/learned-week/learned-week";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params }) =>
  getLearnedWeek(runtime, { company, endpoint: params["endpoint"] }),
);

export const PUT = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, params, body }) =>
    putLearnedWeek(runtime, { company, person, endpoint: params["endpoint"], body }),
);
