import { route } from "@/lib/server/gate/route";
import { getBoardCsv } from "@/lib/server/operations/sync/get-board-csv";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, person, company, query }) =>
  getBoardCsv(runtime, { person, company, query }),
);
