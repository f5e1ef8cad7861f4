import { route } from "@/lib/server/gate/route";
import {
  changeChannel,
  putChannel,
  removeChannel,
} from "@/lib/server/operations/channels/channels";

export const PUT = route(
  { right: "manage-channels", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, params: { id = "" }, body }) => putChannel(runtime, { person, id, body }),
);

export const PATCH = route(
  { right: "manage-channels", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, params: { id = "" }, body }) => changeChannel(runtime, { person, id, body }),
);

export const DELETE = route(
  { right: "manage-channels", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, params: { id = "" } }) => removeChannel(runtime, { person, id }),
);
