import { route } from "@/lib/server/gate/route";
import { listExpectations, planQuiet } from "@/lib/server/operations/quiet/expectations";

export const GET = route({ right: "view", tokens: "read" }, (asked) =>
  listExpectations(asked.runtime, asked),
);

export const POST = route(
  { right: "handle-incidents", mutation: true, status: 201, tokens: "act" },
  ({ runtime, company, person, body }) => planQuiet(runtime, { company, person, body }),
);
