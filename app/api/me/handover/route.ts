import { route } from "@/lib/server/gate/route";
import { getHandover, handOver } from "@/lib/server/operations/incidents/hand-over";

export const GET = route({ right: null }, ({ runtime, person }) =>
  getHandover(runtime, { person }),
);

export const POST = route({ right: null, mutation: true }, ({ runtime, person, body }) =>
  handOver(runtime, { person, body }),
);
