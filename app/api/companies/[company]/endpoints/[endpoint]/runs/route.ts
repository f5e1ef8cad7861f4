import { listRuns } from "@/lib/server/operations/list-runs";
import { nameFromParam } from "@/lib/server/operations/past";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, params, query }) => {
  const endpointId = nameFromParam(params["endpoint"]);
  return Response.json(await listRuns(runtime, { company, endpointId, query }));
});
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
