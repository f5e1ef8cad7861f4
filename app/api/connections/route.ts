import { route } from "@/lib/server/gate/route";
import { listConnections } from "@/lib/server/operations/connections/list-connections";

export const GET = route({ right: "manage-connections" }, ({ runtime }) =>
  listConnections(runtime),
);
