import { route } from "@/lib/server/gate/route";
import {
  acknowledgeIncident,
  unacknowledgeIncident,
} from "@/lib/server/operations/incidents/act-on-incident";

export const PUT = route(
  { right: "handle-incidents", mutation: true, tokens: "act" },
  ({ runtime, company, person, params: { id }, body }) =>
    acknowledgeIncident(runtime, { company, person, id, body }),
);

export const DELETE = route(
  { right: "handle-incidents", mutation: true, tokens: "act" },
  ({ runtime, company, person, params: { id } }) =>
    unacknowledgeIncident(runtime, { company, person, id }),
);
