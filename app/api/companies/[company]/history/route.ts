import { route } from "@/lib/server/gate/route";
import { getBoardHistory } from "@/lib/server/operations/history/get-board-history";

export const GET = route(
  { right: "view", tokens: "read" },
  ({ runtime, company, query, ifNoneMatch }) =>
    getBoardHistory(runtime, { company, query, ifNoneMatch }),
);
