import { route } from "@/lib/server/gate/route";
import { extendLink, revokeLink } from "@/lib/server/operations/links/change-link";

export const PATCH = route(
  { right: "share-links", mutation: true },
  ({ runtime, company, person, params: { id = "" }, body }) =>
    extendLink(runtime, { company, person, id, body }),
);

export const DELETE = route(
  { right: "share-links", mutation: true },
  ({ runtime, company, person, address, params: { id = "" } }) =>
    revokeLink(runtime, { company, person, id, address }),
);
