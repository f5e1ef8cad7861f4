import { withNewCookie } from "@/lib/server/gate/failure-response";
import { route } from "@/lib/server/gate/route";
import { reauthenticate } from "@/lib/server/operations/me/reauthenticate";

export const POST = route(
  { right: null, mutation: true },
  async ({ runtime, person, session, address, request: { headers }, body }) => {
    const cookie = headers.get("cookie");
    const given = { person, session, address, cookie, body };
    const { proven, setCookie } = await reauthenticate(runtime, given);
    return withNewCookie(proven, setCookie);
  },
);
