import { route } from "@/lib/server/gate/route";
import { connectCompany } from "@/lib/server/operations/connections/connect-company";
import { listConnections } from "@/lib/server/operations/connections/list-connections";

export const GET = route({ right: "manage-connections" }, ({ runtime }) =>
  listConnections(runtime),
);

export const POST = route(
  { right: "manage-connections", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, body }) => connectCompany(runtime, { person, body }),
);
