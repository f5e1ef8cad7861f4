import { route } from "@/lib/server/gate/route";
import { getDeletionCsv } from "@/lib/server/operations/deletions/get-deletion";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, params }) =>
  getDeletionCsv(runtime, { company, id: params["deletion"] ?? "" }),
);
