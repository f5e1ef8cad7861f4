import { changeDisplay } from "@/lib/server/operations/change-display";
import { otherMethods, personRoute } from "@/lib/server/route";

export const PATCH = personRoute(
  { right: "manage-displays", mutation: true },
  async ({ runtime, person, params: { id = "" }, body }) =>
    Response.json(await changeDisplay(runtime, { id, person, body })),
);
export const { GET, POST, PUT, DELETE, OPTIONS } = otherMethods("PATCH");
