import { route } from "@/lib/server/gate/route";
import { changeDisplay } from "@/lib/server/operations/displays/change-display";

export const PATCH = route(
  { right: "manage-displays", mutation: true },
  ({ runtime, person, params: { id = "" }, body }) => changeDisplay(runtime, { id, person, body }),
);
