import { route } from "@/lib/server/gate/route";
import { getInbox } from "@/lib/server/operations/me/inbox";

export const GET = route({ right: null }, ({ runtime, person, query }) =>
  getInbox(runtime, { person, query }),
);
