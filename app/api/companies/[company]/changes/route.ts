import { route } from "@/lib/server/gate/route";
import { answerChanges } from "@/lib/server/operations/incidents/get-changes";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, person, query }) =>
  answerChanges(runtime, { company, person, query }),
);
