import { route } from "@/lib/server/gate/route";
import { changeRule, putRule, removeRule } from "@/lib/server/operations/rules/rules";

export const PUT = route(
  { right: "manage-rules", mutation: true, needsRecentSignIn: true },
  async ({ runtime, person, params: { id = "" }, body }) => ({
    data: await putRule(runtime, { person, id, body }),
  }),
);

export const PATCH = route(
  { right: "manage-rules", mutation: true, needsRecentSignIn: true },
  async ({ runtime, person, params: { id = "" }, body }) => ({
    data: await changeRule(runtime, { person, id, body }),
  }),
);

export const DELETE = route(
  { right: "manage-rules", mutation: true, needsRecentSignIn: true },
  ({ runtime, person, params: { id = "" } }) => removeRule(runtime, { person, id }),
);
