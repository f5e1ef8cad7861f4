import { route } from "@/lib/server/gate/route";
import { rehearseAlerts } from "@/lib/server/operations/me/rehearse-alerts";

export const POST = route({ right: null, mutation: true }, async ({ runtime, person, body }) => ({
  data: await rehearseAlerts(runtime, { person, body }),
}));
