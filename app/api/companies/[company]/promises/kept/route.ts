import { route } from "@/lib/server/gate/route";
import { getKept } from "@/lib/server/operations/promises/kept";

export const GET = route(
  { right: "view", tokens: "read" },
  ({ runtime, company, query, ifNoneMatch }) => getKept(runtime, { company, query, ifNoneMatch }),
);
