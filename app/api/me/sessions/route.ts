import { route } from "@/lib/server/gate/route";
import { endOtherSessions } from "@/lib/server/operations/me/end-sessions";

export const DELETE = route(
  { right: null, mutation: true },
  ({ runtime, person, session, address }) =>
    endOtherSessions(runtime, { person, session, address }),
);
