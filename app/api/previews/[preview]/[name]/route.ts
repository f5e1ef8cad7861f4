import { route } from "@/lib/server/gate/route";
import { getPreviewPicture } from "@/lib/server/operations/links/get-preview-picture";

export const GET = route({ principal: "link" }, ({ runtime, identity, params: { name = "" } }) =>
  getPreviewPicture(runtime, identity, name),
);
