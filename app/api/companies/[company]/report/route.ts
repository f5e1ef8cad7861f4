import { route } from "@/lib/server/gate/route";
import { getReport } from "@/lib/server/operations/report/get-report";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, person, company, query }) =>
  getReport(runtime, { person, company, query }),
);
