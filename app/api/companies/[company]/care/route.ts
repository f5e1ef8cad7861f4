import { route } from "@/lib/server/gate/route";
import { changeCare, getCare } from "@/lib/server/operations/incidents/care";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, person }) =>
  getCare(runtime, { company, person }),
);

export const PUT = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, body }) => changeCare(runtime, { company, person, body }),
);
