import { route } from "@/lib/server/gate/route";
import { listDisplays } from "@/lib/server/operations/displays/list-displays";
import { pairDisplay } from "@/lib/server/operations/displays/pair-display";

export const GET = route({ right: "manage-displays" }, ({ runtime }) => listDisplays(runtime));

export const POST = route(
  { right: "manage-displays", mutation: true, status: 201 },
  ({ runtime, person, address, body }) => pairDisplay(runtime, { person, address, body }),
);
