import { route } from "@/lib/server/gate/route";
import { listIncidents } from "@/lib/server/operations/incidents/list-incidents";

export const GET = route({ right: "view" }, ({ runtime, company, person, query }) =>
  listIncidents(runtime, { company, person, query }),
);
