import { route } from "@/lib/server/gate/route";
import { getMe } from "@/lib/server/operations/me/get-me";

export const GET = route({ right: null }, ({ runtime, person, session }) =>
  getMe(runtime, { person, session }),
);
