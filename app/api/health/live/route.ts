import { route } from "@/lib/server/gate/route";
import { getLiveness } from "@/lib/server/operations/health/get-health";

export const GET = route({ principal: "anyone" }, () => getLiveness());
