import { route } from "@/lib/server/gate/route";
import { withSessionCleared } from "@/lib/server/gate/failure-response";
import { changePerson } from "@/lib/server/operations/people/change-person";

export const PATCH = route(
  { right: "manage-people", mutation: true, needsRecentSignIn: true },
  async ({ runtime, person, address, params: { id = "" }, body }) => {
    const changed = await changePerson(runtime, { id, person, address, body });
    const isOwnEnd = changed.id === person.id && changed.status === "disabled";
    return withSessionCleared(Response.json(changed), isOwnEnd, runtime.appUrl);
  },
);
