import { getPartnerHistory } from "@/lib/server/operations/get-partner-history";
import { nameFromParam } from "@/lib/server/operations/past";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, params, query }) => {
  const partnerName = nameFromParam(params["partner"]);
  return Response.json(await getPartnerHistory(runtime, { company, partnerName, query }));
});
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
