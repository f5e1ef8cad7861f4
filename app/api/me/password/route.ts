import { withNewCookie } from "@/lib/server/gate/failure-response";
import { route } from "@/lib/server/gate/route";
import { changeOwnPassword } from "@/lib/server/operations/me/change-password";

export const PUT = route(
  { right: null, mutation: true },
  async ({ runtime, person, session, address, request: { headers }, body }) => {
    const cookie = headers.get("cookie");
    const given = { person, session, address, cookie, body };
    const { changed, setCookie } = await changeOwnPassword(runtime, given);
    return withNewCookie(changed, setCookie);
  },
);
