import { route } from "@/lib/server/gate/route";
import { removeDemo } from "@/lib/server/operations/demo/remove-demo";

export const DELETE = route(
  { right: "manage-connections", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, body }) => removeDemo(runtime, { person, body }),
);
