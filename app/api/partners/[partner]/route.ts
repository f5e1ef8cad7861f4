import { route } from "@/lib/server/gate/route";
import { nameFromParam } from "@/lib/server/operations/history/record-names";
import { getPartner } from "@/lib/server/operations/partners/get-partner";

export const GET = route(
  { right: null, tokens: "read" },
  ({ runtime, person, params, query, ifNoneMatch }) =>
    getPartner(runtime, {
      person,
      partnerName: nameFromParam(params["partner"]),
      query,
      ifNoneMatch,
    }),
);
