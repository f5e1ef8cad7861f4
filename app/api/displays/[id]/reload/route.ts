import { route } from "@/lib/server/gate/route";
import { reloadDisplay } from "@/lib/server/operations/displays/change-display";

export const POST = route(
  { right: "manage-displays", mutation: true },
  ({ runtime, person, params: { id = "" } }) => reloadDisplay(runtime, { id, person }),
);
