import { route } from "@/lib/server/gate/route";
import { handleBackchannelLogout } from "@/lib/server/gate/backchannel-logout";

export const POST = route({ principal: "anyone" }, ({ runtime, request }) =>
  handleBackchannelLogout(runtime, request),
);
