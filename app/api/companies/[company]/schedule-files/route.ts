import { listScheduleFiles } from "@/lib/server/operations/list-schedule-files";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, query }) =>
  Response.json(await listScheduleFiles(runtime, { company, query })),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
