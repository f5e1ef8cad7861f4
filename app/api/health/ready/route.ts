import { route } from "@/lib/server/gate/route";
import { getReadiness } from "@/lib/server/operations/health/get-health";

export const GET = route({ principal: "anyone" }, ({ runtime }) => getReadiness(runtime));
