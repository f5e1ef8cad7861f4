import { route } from "@/lib/server/gate/route";
import { nameFromParam } from "@/lib/server/operations/history/record-names";
import { getPartnerDays } from "@/lib/server/operations/partners/get-partner-days";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, params, query }) =>
  getPartnerDays(runtime, {
    person,
    partnerName: nameFromParam(params["partner"]),
    query,
  }),
);
