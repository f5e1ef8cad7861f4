import { getApiCallsCsv } from "@/lib/server/operations/get-api-calls";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, ({ runtime, company, query }) =>
  getApiCallsCsv(runtime, { company, query }),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
