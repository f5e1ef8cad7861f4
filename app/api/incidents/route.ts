import { route } from "@/lib/server/gate/route";
import { listAllIncidents } from "@/lib/server/operations/incidents/list-incidents";

export const GET = route({ right: null }, ({ runtime, person, query }) =>
  listAllIncidents(runtime, { person, query }),
);
