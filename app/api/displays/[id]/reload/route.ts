import { reloadDisplay } from "@/lib/server/operations/change-display";
import { otherMethods, personRoute } from "@/lib/server/route";

export const POST = personRoute(
  { right: "manage-displays", mutation: true },
  async ({ runtime, person, params: { id = "" } }) =>
    Response.json(await reloadDisplay(runtime, { id, person })),
);
export const { GET, PUT, PATCH, DELETE, OPTIONS } = otherMethods("POST");
