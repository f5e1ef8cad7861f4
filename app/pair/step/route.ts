import { stepPairing } from "@/lib/server/operations/step-pairing";
import { openRoute, otherOpenMethods } from "@/lib/server/route";

export const GET = openRoute({}, ({ runtime, request }) => stepPairing(runtime, request));
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherOpenMethods("GET");
