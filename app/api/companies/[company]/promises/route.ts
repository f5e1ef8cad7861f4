import { route } from "@/lib/server/gate/route";
import { text } from "@/lib/server/http/query";
import {
  listPromises,
  listPromisesOf,
  makePromise,
} from "@/lib/server/operations/promises/promises";

export const GET = route(
  { right: "view", tokens: "read" },
  ({ runtime, company, query, ifNoneMatch }) => {
    const endpointId = text(query, "endpoint");
    return endpointId === null
      ? listPromises(runtime, { company })
      : listPromisesOf(runtime, { company, endpointId, ifNoneMatch });
  },
);

export const POST = route(
  { right: "handle-incidents", mutation: true, status: 201, tokens: "act" },
  ({ runtime, company, person, body }) => makePromise(runtime, { company, person, body }),
);
