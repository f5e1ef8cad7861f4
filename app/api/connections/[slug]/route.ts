import { route } from "@/lib/server/gate/route";
import {
  changeConnection,
  removeConnection,
} from "@/lib/server/operations/connections/change-connection";

export const PATCH = route(
  { right: "manage-connections", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, params: { slug = "" }, body }) =>
    changeConnection(runtime, { slug, person, body }),
);

export const DELETE = route(
  { right: "manage-connections", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, params: { slug = "" } }) => removeConnection(runtime, { slug, person }),
);
