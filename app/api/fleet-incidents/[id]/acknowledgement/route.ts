import { route } from "@/lib/server/gate/route";
import {
  acknowledgeFleet,
  unacknowledgeFleet,
} from "@/lib/server/operations/fleet-incidents/act-on-fleet-incident";

export const PUT = route(
  { right: null, mutation: true, tokens: "act" },
  ({ runtime, person, params: { id }, body }) => acknowledgeFleet(runtime, { person, id, body }),
);

export const DELETE = route(
  { right: null, mutation: true, tokens: "act" },
  ({ runtime, person, params: { id } }) => unacknowledgeFleet(runtime, { person, id }),
);
