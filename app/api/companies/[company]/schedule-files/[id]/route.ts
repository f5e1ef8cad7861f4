import { route } from "@/lib/server/gate/route";
import { getScheduleFile } from "@/lib/server/operations/files/get-schedule-file";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params }) =>
  getScheduleFile(runtime, { company, id: params["id"] }),
);
