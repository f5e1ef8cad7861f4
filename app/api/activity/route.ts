import { route } from "@/lib/server/gate/route";
import { listHouseActivity } from "@/lib/server/operations/activity/list-activity";

export const GET = route({ right: "manage-people" }, ({ runtime, query }) =>
  listHouseActivity(runtime, { query }),
);
