import { renderSharedPage } from "@/lib/server/rendering/render-shared-page";
import { route } from "@/lib/server/gate/route";
import { countSharedPage, getSharedPage } from "@/lib/server/operations/links/get-shared-page";

export const GET = route({ principal: "link" }, async ({ runtime, identity, request }) =>
  renderSharedPage(await getSharedPage(runtime, identity, request)),
);

export const POST = route(
  { principal: "link", mutation: true },
  ({ runtime, link, address, request }) => countSharedPage(runtime, link, { address, request }),
);
