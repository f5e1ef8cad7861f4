import { route } from "@/lib/server/gate/route";
import { listOwnTokens } from "@/lib/server/operations/tokens/list-tokens";
import { makeToken } from "@/lib/server/operations/tokens/make-token";

export const GET = route({ right: null }, ({ runtime, person }) =>
  listOwnTokens(runtime, { person }),
);

export const POST = route(
  { right: null, mutation: true, needsRecentSignIn: true, status: 201 },
  ({ runtime, person, address, body }) => makeToken(runtime, { person, address, body }),
);
