import { route } from "@/lib/server/gate/route";
import { resetPassword } from "@/lib/server/operations/people/invite-person";

export const POST = route(
  { right: "manage-people", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, address, origin, params: { id = "" } }) =>
    resetPassword(runtime, { id, person, address, origin }),
);
