import { route } from "@/lib/server/gate/route";
import { rehearseRule } from "@/lib/server/operations/rules/rehearse";

export const POST = route({ right: "manage-rules", mutation: true }, async ({ runtime, body }) => ({
  data: await rehearseRule(runtime, { body }),
}));
