import { route } from "@/lib/server/gate/route";
import { listScheduleFiles } from "@/lib/server/operations/files/list-schedule-files";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  listScheduleFiles(runtime, { company, query }),
);
