import { route } from "@/lib/server/gate/route";
import { getSyncStatus } from "@/lib/server/operations/sync/get-sync-status";

export const GET = route({ principal: "display" }, (context) =>
  getSyncStatus(context.runtime, context),
);
