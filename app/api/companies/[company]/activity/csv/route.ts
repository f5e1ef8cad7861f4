import { listActivityCsv } from "@/lib/server/operations/list-activity";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, ({ runtime, company, query }) =>
  listActivityCsv(runtime, { company, query }),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
