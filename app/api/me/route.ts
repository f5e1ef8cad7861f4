import { route } from "@/lib/server/gate/route";
import { getMe } from "@/lib/server/operations/me/get-me";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, session, token }) =>
  getMe(runtime, { person, session, token }),
);
