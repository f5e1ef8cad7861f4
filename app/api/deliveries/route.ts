import { route } from "@/lib/server/gate/route";
import { listDeliveries } from "@/lib/server/operations/delivery/deliveries";

export const GET = route({ right: "manage-rules" }, ({ runtime, query }) =>
  listDeliveries(runtime, { query }),
);
