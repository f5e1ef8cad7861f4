import { route } from "@/lib/server/gate/route";
import { nameFromParam } from "@/lib/server/operations/history/record-names";
import { getParagraphsCsv } from "@/lib/server/operations/partners/get-paragraphs";

export const GET = route({ right: null, tokens: "read" }, ({ runtime, person, params }) =>
  getParagraphsCsv(runtime, { person, partnerName: nameFromParam(params["partner"]) }),
);
