import { route } from "@/lib/server/gate/route";
import { stepPairing } from "@/lib/server/operations/displays/step-pairing";

export const GET = route({ principal: "anyone" }, ({ runtime, request }) =>
  stepPairing(runtime, request),
);
