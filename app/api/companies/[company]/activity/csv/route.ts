import { route } from "@/lib/server/gate/route";
import { listActivityCsv } from "@/lib/server/operations/activity/list-activity";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  listActivityCsv(runtime, { company, query }),
);
