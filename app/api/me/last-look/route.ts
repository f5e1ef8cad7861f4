import { route } from "@/lib/server/gate/route";
import { getLastLook, putLastLook } from "@/lib/server/operations/incidents/last-look";

export const GET = route({ right: null }, ({ runtime, person }) =>
  getLastLook(runtime, { company: null, person }),
);

export const PUT = route({ right: null, mutation: true }, ({ runtime, person }) =>
  putLastLook(runtime, { company: null, person }),
);
