import { route } from "@/lib/server/gate/route";
import { signedOut } from "@/lib/server/gate/answers";
import { changePerson } from "@/lib/server/operations/people/change-person";

export const PATCH = route(
  { right: "manage-people", mutation: true, needsRecentSignIn: true },
  async ({ runtime, person, address, params: { id = "" }, body }) => {
    const changed = await changePerson(runtime, { id, person, address, body });
    const isOwnEnd = changed.id === person.id && changed.status === "disabled";
    return signedOut(Response.json(changed), isOwnEnd, runtime.appUrl);
  },
);
