import { route } from "@/lib/server/gate/route";
import { resume } from "@/lib/server/operations/pauses/resume";

export const POST = route(
  { right: "manage-connections", mutation: true },
  ({ runtime, person, params: { what = "" } }) => resume(runtime, { what, person }),
);
