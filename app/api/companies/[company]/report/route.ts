import { route } from "@/lib/server/gate/route";
import { answerReport } from "@/lib/server/operations/report/get-report";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, person, company, query }) =>
  answerReport(runtime, { person, company, query }),
);
