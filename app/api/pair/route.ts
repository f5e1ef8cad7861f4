import { route } from "@/lib/server/gate/route";
import { getPairing } from "@/lib/server/operations/displays/get-pairing";
import { startPairing } from "@/lib/server/operations/displays/start-pairing";

export const GET = route({ principal: "anyone" }, ({ runtime, request }) =>
  getPairing(runtime, request),
);

export const POST = route({ principal: "anyone", mutation: true }, ({ runtime, address }) =>
  startPairing(runtime, { address }),
);
