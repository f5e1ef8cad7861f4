import { route } from "@/lib/server/gate/route";
import { changePromise, deletePromise } from "@/lib/server/operations/promises/promises";

export const PATCH = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, params, body }) =>
    changePromise(runtime, { company, person, id: params["id"] ?? "", body }),
);

export const DELETE = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, person, params }) =>
    deletePromise(runtime, { company, person, id: params["id"] ?? "" }),
);
