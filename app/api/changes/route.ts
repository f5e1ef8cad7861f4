import { route } from "@/lib/server/gate/route";
import { answerAllChanges } from "@/lib/server/operations/incidents/get-changes";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, query }) =>
  answerAllChanges(runtime, { person, query }),
);
