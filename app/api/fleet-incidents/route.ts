import { route } from "@/lib/server/gate/route";
import { listFleets } from "@/lib/server/operations/fleet-incidents/get-fleet-incident";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, query }) =>
  listFleets(runtime, { person, query }),
);
