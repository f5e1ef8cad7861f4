import { route } from "@/lib/server/gate/route";
import { listIntegrations } from "@/lib/server/operations/files/integrations";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company }) =>
  listIntegrations(runtime, { company }),
);
