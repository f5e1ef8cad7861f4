import { route } from "@/lib/server/gate/route";
import { getDeletion } from "@/lib/server/operations/deletions/get-deletion";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params }) =>
  getDeletion(runtime, { company, id: params["deletion"] ?? "" }),
);
