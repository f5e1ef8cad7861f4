import { route } from "@/lib/server/gate/route";
import { answerAllChanges } from "@/lib/server/operations/incidents/get-changes";

export const GET = route({ right: null }, ({ runtime, person, query }) =>
  answerAllChanges(runtime, { person, query }),
);
