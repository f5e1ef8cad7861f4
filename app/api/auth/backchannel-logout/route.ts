import { route } from "@/lib/server/gate/route";
import { answerBackchannelLogout } from "@/lib/server/gate/backchannel-logout";

export const POST = route({ principal: "anyone" }, ({ runtime, request }) =>
  answerBackchannelLogout(runtime, request),
);
