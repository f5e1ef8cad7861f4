import { getBoardHistory } from "@/lib/server/operations/get-board-history";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, ({ runtime, company, query, request }) =>
  getBoardHistory(runtime, { company, query, ifNoneMatch: request.headers.get("if-none-match") }),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
