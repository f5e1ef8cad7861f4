import { route } from "@/lib/server/gate/route";
import { renewRecoveryCodes } from "@/lib/server/operations/me/second-factor";

export const POST = route(
  { right: null, mutation: true, needsRecentSignIn: true, status: 201 },
  ({ runtime, person, address }) => renewRecoveryCodes(runtime, { person, address }),
);
