import { route } from "@/lib/server/gate/route";
import { getFileFacets } from "@/lib/server/operations/files/get-file-facets";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company }) =>
  getFileFacets(runtime, { company }),
);
