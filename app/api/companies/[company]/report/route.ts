import { route } from "@/lib/server/gate/route";
import { getReport } from "@/lib/server/operations/report/get-report";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  getReport(runtime, { company, query }),
);
