import { route } from "@/lib/server/gate/route";
import { getAlerts, putAlerts } from "@/lib/server/operations/me/alerts";

export const GET = route({ right: null }, ({ runtime, person }) => getAlerts(runtime, { person }));

export const PUT = route({ right: null, mutation: true }, ({ runtime, person, body }) =>
  putAlerts(runtime, { person, body }),
);
