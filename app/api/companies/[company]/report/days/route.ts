import { route } from "@/lib/server/gate/route";
import { getReportDays } from "@/lib/server/operations/report/get-report-days";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  getReportDays(runtime, { company, query }),
);
