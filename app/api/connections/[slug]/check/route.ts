import { route } from "@/lib/server/gate/route";
import { checkConnection } from "@/lib/server/operations/connections/check-connection";

export const POST = route(
  { right: "manage-connections", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, params: { slug = "" } }) => checkConnection(runtime, { person, slug }),
);
