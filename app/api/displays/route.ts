import { listDisplays } from "@/lib/server/operations/list-displays";
import { pairDisplay } from "@/lib/server/operations/pair-display";
import { otherMethods, personRoute } from "@/lib/server/route";

export const GET = personRoute({ right: "manage-displays" }, async ({ runtime }) =>
  Response.json(await listDisplays(runtime)),
);
export const POST = personRoute(
  { right: "manage-displays", mutation: true },
  async ({ runtime, person, body }) =>
    Response.json(await pairDisplay(runtime, { person, body }), { status: 201 }),
);
export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET", "POST");
