import { route } from "@/lib/server/gate/route";
import { answerApiCalls } from "@/lib/server/operations/history/get-api-calls";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  answerApiCalls(runtime, { company, query }),
);
