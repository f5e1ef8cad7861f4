import { route } from "@/lib/server/gate/route";
import { ownFleet } from "@/lib/server/operations/fleet-incidents/act-on-fleet-incident";

export const PUT = route(
  { right: null, mutation: true, tokens: "act" },
  ({ runtime, person, params: { id }, body }) => ownFleet(runtime, { person, id, body }),
);
