import { route } from "@/lib/server/gate/route";
import { listIncidentsCsv } from "@/lib/server/operations/incidents/list-incidents-csv";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, person, company, query }) =>
  listIncidentsCsv(runtime, { person, company, query }),
);
