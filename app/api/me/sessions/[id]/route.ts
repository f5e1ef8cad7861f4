import { route } from "@/lib/server/gate/route";
import { signedOut } from "@/lib/server/gate/answers";
import { endSession } from "@/lib/server/operations/me/end-sessions";

export const DELETE = route(
  { right: null, mutation: true },
  async ({ runtime, person, session, address, params: { id = "" } }) =>
    signedOut(
      Response.json(await endSession(runtime, { person, session, address, id })),
      id.toLowerCase() === session.id,
      runtime.appUrl,
    ),
);
