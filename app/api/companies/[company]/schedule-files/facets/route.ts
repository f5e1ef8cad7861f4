import { getFileFacets } from "@/lib/server/operations/get-file-facets";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company }) =>
  Response.json(await getFileFacets(runtime, { company })),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
