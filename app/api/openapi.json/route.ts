import { route } from "@/lib/server/gate/route";
import { getDescription } from "@/lib/server/operations/description/get-description";

export const GET = route({ right: null, tokens: "read" }, ({ runtime }) => getDescription(runtime));
