import { route } from "@/lib/server/gate/route";
import { ownIncident } from "@/lib/server/operations/incidents/act-on-incident";

export const PUT = route(
  { right: "handle-incidents", mutation: true, tokens: "act" },
  ({ runtime, company, person, params: { id }, body }) =>
    ownIncident(runtime, { company, person, id, body }),
);
