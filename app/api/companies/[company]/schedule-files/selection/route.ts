import { getFileSelection } from "@/lib/server/operations/get-file-selection";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, async ({ runtime, company, query }) =>
  Response.json(await getFileSelection(runtime, { company, query })),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
