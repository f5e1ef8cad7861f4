import { route } from "@/lib/server/gate/route";
import { listAllowances } from "@/lib/server/operations/allowances/allowances";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company }) =>
  listAllowances(runtime, { company }),
);
