import { route } from "@/lib/server/gate/route";
import { listAllTokens } from "@/lib/server/operations/tokens/list-tokens";
import { makeServiceToken } from "@/lib/server/operations/tokens/make-token";

export const GET = route({ right: "manage-people" }, ({ runtime, person }) =>
  listAllTokens(runtime, { person }),
);

export const POST = route(
  { right: "manage-people", mutation: true, needsRecentSignIn: true, status: 201 },
  ({ runtime, person, address, body }) => makeServiceToken(runtime, { person, address, body }),
);
