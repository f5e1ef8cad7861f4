import { route } from "@/lib/server/gate/route";
import { getIncident } from "@/lib/server/operations/incidents/get-incident";

export const GET = route(
  { right: "view", tokens: "read" },
  ({ runtime, company, person, params: { id } }) => getIncident(runtime, { company, person, id }),
);
