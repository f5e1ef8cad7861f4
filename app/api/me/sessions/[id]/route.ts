import { route } from "@/lib/server/gate/route";
import { withSessionCleared } from "@/lib/server/gate/failure-response";
import { endSession } from "@/lib/server/operations/me/end-sessions";

export const DELETE = route(
  { right: null, mutation: true },
  async ({ runtime, person, session, address, params: { id = "" } }) =>
    withSessionCleared(
      Response.json(await endSession(runtime, { person, session, address, id })),
      id.toLowerCase() === session.id,
      runtime.appUrl,
    ),
);
