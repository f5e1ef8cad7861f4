import { route } from "@/lib/server/gate/route";
import { getReportCsv } from "@/lib/server/operations/report/get-report-csv";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, person, company, query }) =>
  getReportCsv(runtime, { person, company, query }),
);
