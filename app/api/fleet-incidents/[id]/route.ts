import { route } from "@/lib/server/gate/route";
import { getFleet } from "@/lib/server/operations/fleet-incidents/get-fleet-incident";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, params: { id } }) =>
  getFleet(runtime, { person, id }),
);
