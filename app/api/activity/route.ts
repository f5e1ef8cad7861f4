import { route } from "@/lib/server/gate/route";
import { listInstallationActivity } from "@/lib/server/operations/activity/list-activity";

export const GET = route({ right: "manage-people" }, ({ runtime, query }) =>
  listInstallationActivity(runtime, { query }),
);
