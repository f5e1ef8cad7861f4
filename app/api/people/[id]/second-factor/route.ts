import { route } from "@/lib/server/gate/route";
import { resetSecondFactor } from "@/lib/server/operations/people/reset-second-factor";

export const DELETE = route(
  { right: "manage-people", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, address, params: { id = "" } }) =>
    resetSecondFactor(runtime, { id, person, address }),
);
