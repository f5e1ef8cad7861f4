import { route } from "@/lib/server/gate/route";
import { listScheduleFilesCsv } from "@/lib/server/operations/files/list-schedule-files-csv";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  listScheduleFilesCsv(runtime, { company, query }),
);
