import { route } from "@/lib/server/gate/route";
import { getLastLook, putLastLook } from "@/lib/server/operations/incidents/last-look";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, person }) =>
  getLastLook(runtime, { company, person }),
);

export const PUT = route({ right: "view", mutation: true }, ({ runtime, company, person }) =>
  putLastLook(runtime, { company, person }),
);
