import { route } from "@/lib/server/gate/route";
import { answerAssistant } from "@/lib/server/operations/assistants/answer-assistant";

export const POST = route(
  { right: null, mutation: true, tokens: "read" },
  ({ runtime, request, body, token, person, origin }) =>
    answerAssistant(runtime, { request, body, token, person, origin }),
);
