import { route } from "@/lib/server/gate/route";
import { getCompanies } from "@/lib/server/operations/sync/get-companies";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, query }) =>
  getCompanies(runtime, { person, query }),
);
