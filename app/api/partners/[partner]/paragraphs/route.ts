import { route } from "@/lib/server/gate/route";
import { nameFromParam } from "@/lib/server/operations/history/record-names";
import { getParagraphs } from "@/lib/server/operations/partners/get-paragraphs";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, params }) =>
  getParagraphs(runtime, { person, partnerName: nameFromParam(params["partner"]) }),
);
