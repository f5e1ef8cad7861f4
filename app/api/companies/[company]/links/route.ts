import { route } from "@/lib/server/gate/route";
import { listLinks } from "@/lib/server/operations/links/list-links";
import { makeLink } from "@/lib/server/operations/links/make-link";

export const GET = route(
  { right: "share-links", tokens: "read" },
  ({ runtime, company, person, query }) => listLinks(runtime, { company, person, query }),
);

export const POST = route(
  { right: "share-links", mutation: true, status: 201 },
  ({ runtime, company, person, address, origin, body }) =>
    makeLink(runtime, { company, person, address, origin, body }),
);
