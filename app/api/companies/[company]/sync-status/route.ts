import { route } from "@/lib/server/gate/route";
import { getBoard } from "@/lib/server/operations/sync/get-board";

export const GET = route({ right: "view", tokens: "read" }, (context) =>
  getBoard(context.runtime, context),
);
