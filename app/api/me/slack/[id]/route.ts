import { route } from "@/lib/server/gate/route";
import { unlinkOwnSlack } from "@/lib/server/operations/slack/own-slack";

export const DELETE = route(
  { right: null, mutation: true },
  ({ runtime, person, params: { id = "" } }) => unlinkOwnSlack(runtime, { person, id }),
);
