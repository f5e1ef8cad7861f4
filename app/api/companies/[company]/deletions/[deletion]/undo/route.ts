import { route } from "@/lib/server/gate/route";
import { undoDeletion } from "@/lib/server/operations/deletions/end-deletion";

export const POST = route(
  { right: "delete-files", mutation: true },
  ({ runtime, company, person, params }) =>
    undoDeletion(runtime, { company, person, id: params["deletion"] ?? "" }),
);
