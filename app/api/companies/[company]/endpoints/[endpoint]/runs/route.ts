import { route } from "@/lib/server/gate/route";
import { listRuns } from "@/lib/server/operations/history/list-runs";
import { nameFromParam } from "@/lib/server/operations/history/record-names";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params, query }) =>
  listRuns(runtime, { company, endpointId: nameFromParam(params["endpoint"]), query }),
);
