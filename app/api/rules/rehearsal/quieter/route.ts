import { route } from "@/lib/server/gate/route";
import { quieterRule } from "@/lib/server/operations/alarm-load/rehearse-quieter";

export const POST = route({ right: "manage-rules", mutation: true }, async ({ runtime, body }) => ({
  data: await quieterRule(runtime, { body }),
}));
