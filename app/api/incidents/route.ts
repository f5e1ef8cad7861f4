import { route } from "@/lib/server/gate/route";
import { answerAllIncidents } from "@/lib/server/operations/incidents/list-incidents";

export const GET = route({ right: null, tokens: "read" }, (asked) =>
  answerAllIncidents(asked.runtime, asked),
);
