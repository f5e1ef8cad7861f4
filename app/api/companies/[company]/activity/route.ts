import { route } from "@/lib/server/gate/route";
import { listActivity } from "@/lib/server/operations/activity/list-activity";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  listActivity(runtime, { company, query }),
);
