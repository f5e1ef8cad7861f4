import { route } from "@/lib/server/gate/route";
import { getMetrics } from "@/lib/server/operations/health/get-metrics";

export const GET = route({ principal: "anyone" }, (context) =>
  getMetrics(context.runtime, context),
);
