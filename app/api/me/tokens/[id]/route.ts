import { route } from "@/lib/server/gate/route";
import { revokeOwnToken } from "@/lib/server/operations/tokens/revoke-token";

export const DELETE = route(
  { right: null, mutation: true },
  ({ runtime, person, address, params: { id = "" } }) =>
    revokeOwnToken(runtime, { person, address, id }),
);
