import { route } from "@/lib/server/gate/route";
import { getPartnerAt } from "@/lib/server/operations/history/get-partner-at";
import { nameFromParam } from "@/lib/server/operations/history/record-names";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params, query }) =>
  getPartnerAt(runtime, { company, partnerName: nameFromParam(params["partner"]), query }),
);
