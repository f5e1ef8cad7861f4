import { route } from "@/lib/server/gate/route";
import { endQuiet } from "@/lib/server/operations/quiet/expectations";

export const DELETE = route(
  { right: "handle-incidents", mutation: true, tokens: "act" },
  ({ runtime, company, person, params: { id = "" } }) => endQuiet(runtime, { company, person, id }),
);
