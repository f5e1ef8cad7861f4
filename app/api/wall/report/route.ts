import { route } from "@/lib/server/gate/route";
import { takeWallReport } from "@/lib/server/operations/displays/take-wall-report";

export const POST = route(
  { principal: "display", mutation: true },
  ({ runtime, display, body, request }) =>
    takeWallReport(runtime, { display, body, headers: request.headers }),
);
