import { getScheduleFile } from "@/lib/server/operations/get-schedule-file";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, params }) =>
  Response.json(await getScheduleFile(runtime, { company, id: params["id"] })),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
