import { route } from "@/lib/server/gate/route";
import { noteFleet } from "@/lib/server/operations/fleet-incidents/act-on-fleet-incident";

export const POST = route(
  { right: null, mutation: true, status: 201, tokens: "act" },
  ({ runtime, person, params: { id }, body }) => noteFleet(runtime, { person, id, body }),
);
