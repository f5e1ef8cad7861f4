import { route } from "@/lib/server/gate/route";
import { stopDeletion } from "@/lib/server/operations/deletions/end-deletion";

export const POST = route(
  { right: "delete-files", mutation: true },
  ({ runtime, company, person, params }) =>
    stopDeletion(runtime, { company, person, id: params["deletion"] ?? "" }),
);
