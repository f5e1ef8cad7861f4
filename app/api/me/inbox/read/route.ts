import { route } from "@/lib/server/gate/route";
import { readUntil } from "@/lib/server/operations/me/inbox";

export const POST = route({ right: null, mutation: true }, async ({ runtime, person, body }) =>
  readUntil(runtime, { person, body }),
);
