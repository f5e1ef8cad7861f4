import { route } from "@/lib/server/gate/route";
import { listAllLinks } from "@/lib/server/operations/links/list-links";

export const GET = route({ right: null }, ({ runtime, person, query }) =>
  listAllLinks(runtime, { person, query }),
);
