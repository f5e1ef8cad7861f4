import { route } from "@/lib/server/gate/route";
import { answerIncidents } from "@/lib/server/operations/incidents/list-incidents";

export const GET = route({ right: "view", tokens: "read" }, (asked) =>
  answerIncidents(asked.runtime, asked),
);
