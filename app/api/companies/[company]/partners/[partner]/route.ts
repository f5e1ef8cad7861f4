import { route } from "@/lib/server/gate/route";
import { getPartnerHistory } from "@/lib/server/operations/history/get-partner-history";
import { nameFromParam } from "@/lib/server/operations/history/record-names";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params, query }) =>
  getPartnerHistory(runtime, { company, partnerName: nameFromParam(params["partner"]), query }),
);
