import { route } from "@/lib/server/gate/route";
import { listChannels, makeChannel } from "@/lib/server/operations/channels/channels";

export const GET = route({ right: "manage-channels" }, ({ runtime }) => listChannels(runtime));

export const POST = route(
  { right: "manage-channels", mutation: true, needsRecentSignIn: true, status: 201 },
  ({ runtime, person, body }) => makeChannel(runtime, { person, body }),
);
