import { route } from "@/lib/server/gate/route";
import { deleteAllowance, putAllowance } from "@/lib/server/operations/allowances/allowances";

export const PUT = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, params, body }) =>
    putAllowance(runtime, { company, person, partner: params["partner"], body }),
);

export const DELETE = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, params }) =>
    deleteAllowance(runtime, { company, person, partner: params["partner"] }),
);
