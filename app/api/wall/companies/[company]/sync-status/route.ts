import { route } from "@/lib/server/gate/route";
import { getSyncStatus } from "@/lib/server/operations/sync/get-sync-status";

export const GET = route({ principal: "display" }, (asked) => getSyncStatus(asked.runtime, asked));
