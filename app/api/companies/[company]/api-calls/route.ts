import { getApiCalls } from "@/lib/server/operations/get-api-calls";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, query }) =>
  Response.json(await getApiCalls(runtime, { company, query })),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
