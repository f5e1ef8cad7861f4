import { route } from "@/lib/server/gate/route";
import { withSessionCleared } from "@/lib/server/gate/failure-response";
import { endSessions } from "@/lib/server/operations/people/change-person";

export const DELETE = route(
  { right: "manage-people", mutation: true, needsRecentSignIn: true },
  async ({ runtime, person, session, address, params: { id = "" } }) =>
    withSessionCleared(
      Response.json(await endSessions(runtime, { id, person, session, address })),
      id.toLowerCase() === person.id,
      runtime.appUrl,
    ),
);
