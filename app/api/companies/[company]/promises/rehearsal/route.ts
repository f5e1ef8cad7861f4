import { route } from "@/lib/server/gate/route";
import { answerRehearsal } from "@/lib/server/operations/promises/rehearse-promise";

export const POST = route(
  { right: "handle-incidents", mutation: true },
  ({ runtime, company, body }) => answerRehearsal(runtime, { company, body }),
);
