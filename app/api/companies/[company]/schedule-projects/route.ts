import { route } from "@/lib/server/gate/route";
import { listScheduleProjects } from "@/lib/server/operations/files/list-schedule-projects";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  listScheduleProjects(runtime, { company, query }),
);
