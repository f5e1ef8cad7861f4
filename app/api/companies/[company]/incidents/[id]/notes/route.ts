import { route } from "@/lib/server/gate/route";
import { noteIncident } from "@/lib/server/operations/incidents/act-on-incident";

export const POST = route(
  { right: "handle-incidents", mutation: true, status: 201, tokens: "act" },
  ({ runtime, company, person, params: { id }, body }) =>
    noteIncident(runtime, { company, person, id, body }),
);
