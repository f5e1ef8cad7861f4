import { takeWallReport } from "@/lib/server/operations/take-wall-report";
import { otherWallMethods, screenRoute } from "@/lib/server/route";

export const POST = screenRoute(({ runtime, display, body, request }) =>
  takeWallReport(runtime, { display, body, headers: request.headers }),
);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherWallMethods("POST");
