import { route } from "@/lib/server/gate/route";
import { listHouseActivityCsv } from "@/lib/server/operations/activity/list-activity";

export const GET = route({ right: "manage-people" }, ({ runtime, query }) =>
  listHouseActivityCsv(runtime, { query }),
);
