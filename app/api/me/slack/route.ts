import { route } from "@/lib/server/gate/route";
import { linkOwnSlack, listOwnSlack } from "@/lib/server/operations/slack/own-slack";

export const GET = route({ right: null }, ({ runtime, person }) =>
  listOwnSlack(runtime, { person }),
);

export const POST = route(
  { right: null, mutation: true },
  ({ runtime, person, body, requireRecentSignIn }) =>
    linkOwnSlack(runtime, { person, body, requireRecentSignIn }),
);
