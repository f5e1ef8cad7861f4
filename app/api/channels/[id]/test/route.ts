import { route } from "@/lib/server/gate/route";
import { testChannel } from "@/lib/server/operations/channels/channels";

export const POST = route(
  { right: "manage-channels", mutation: true },
  ({ runtime, person, params: { id = "" } }) => testChannel(runtime, { person, id }),
);
