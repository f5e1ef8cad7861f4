import { route } from "@/lib/server/gate/route";
import { listRules, makeRule } from "@/lib/server/operations/rules/rules";

export const GET = route({ right: "manage-rules" }, ({ runtime }) => listRules(runtime));

export const POST = route(
  { right: "manage-rules", mutation: true, needsRecentSignIn: true, status: 201 },
  async ({ runtime, person, body }) => ({ data: await makeRule(runtime, { person, body }) }),
);
