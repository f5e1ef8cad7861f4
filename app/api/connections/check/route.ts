import { route } from "@/lib/server/gate/route";
import { checkCredentials } from "@/lib/server/operations/connections/check-credentials";

export const POST = route(
  { right: "manage-connections", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, body }) => checkCredentials(runtime, { person, body }),
);
