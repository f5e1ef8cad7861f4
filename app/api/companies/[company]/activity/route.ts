import { listActivity } from "@/lib/server/operations/list-activity";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, query }) =>
  Response.json(await listActivity(runtime, { company, query })),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
