import { getCompanies } from "@/lib/server/operations/get-companies";
import { otherMethods, personRoute } from "@/lib/server/route";

export const GET = personRoute({ right: "view" }, ({ runtime, person }) =>
  getCompanies(runtime, person),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
