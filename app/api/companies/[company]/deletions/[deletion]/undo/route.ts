import { undoDeletion } from "@/lib/server/operations/end-deletion";
import { otherMethods, route } from "@/lib/server/route";

export const POST = route(
  { right: "delete-files", mutation: true },
  ({ runtime, company, person, params }) =>
    undoDeletion(runtime, { company, person, id: params["deletion"] ?? "" }),
);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
