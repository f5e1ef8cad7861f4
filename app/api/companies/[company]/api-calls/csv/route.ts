import { route } from "@/lib/server/gate/route";
import { getApiCallsCsv } from "@/lib/server/operations/history/get-api-calls";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  getApiCallsCsv(runtime, { company, query }),
);
