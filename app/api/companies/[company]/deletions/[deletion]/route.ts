import { getDeletion } from "@/lib/server/operations/get-deletion";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, ({ runtime, company, params }) =>
  getDeletion(runtime, { company, id: params["deletion"] ?? "" }),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
