import { route } from "@/lib/server/gate/route";
import { revokeDisplay } from "@/lib/server/operations/displays/change-display";

export const POST = route(
  { right: "manage-displays", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, address, params: { id = "" } }) =>
    revokeDisplay(runtime, { id, person, address }),
);
