import { route } from "@/lib/server/gate/route";
import { getEndpointHistory } from "@/lib/server/operations/history/get-endpoint-history";
import { nameFromParam } from "@/lib/server/operations/history/record-names";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params, query }) =>
  getEndpointHistory(runtime, { company, endpointId: nameFromParam(params["endpoint"]), query }),
);
