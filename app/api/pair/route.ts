import { beginPairing } from "@/lib/server/operations/begin-pairing";
import { getPairing } from "@/lib/server/operations/get-pairing";
import { openRoute, otherOpenMethods } from "@/lib/server/route";

export const GET = openRoute({}, ({ runtime, request }) => getPairing(runtime, request));
export const POST = openRoute({ mutation: true }, ({ runtime, request }) =>
  beginPairing(runtime, {
    address: request.headers.get("x-plumbline-client-address") ?? "unknown",
  }),
);
export const { PUT, PATCH, DELETE, OPTIONS } = otherOpenMethods("GET", "POST");
