import { route } from "@/lib/server/gate/route";
import { listInstallationActivityCsv } from "@/lib/server/operations/activity/list-activity";

export const GET = route({ right: "manage-people" }, ({ runtime, query }) =>
  listInstallationActivityCsv(runtime, { query }),
);
