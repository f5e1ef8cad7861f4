import { route } from "@/lib/server/gate/route";
import { listPartners } from "@/lib/server/operations/partners/list-partners";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, query }) =>
  listPartners(runtime, { person, query }),
);
