import { route } from "@/lib/server/gate/route";
import { getFileSelection } from "@/lib/server/operations/files/get-file-selection";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company, query }) =>
  getFileSelection(runtime, { company, query }),
);
