import { route } from "@/lib/server/gate/route";
import { getPromises, makePromise } from "@/lib/server/operations/promises/promises";

export const GET = route(
  { right: "view", tokens: "read" },
  ({ runtime, company, query, ifNoneMatch }) =>
    getPromises(runtime, { company, query, ifNoneMatch }),
);

export const POST = route(
  { right: "handle-incidents", mutation: true, status: 201 },
  ({ runtime, company, person, body }) => makePromise(runtime, { company, person, body }),
);
