import { route } from "@/lib/server/gate/route";
import { revokeAnyToken } from "@/lib/server/operations/tokens/revoke-token";

export const DELETE = route(
  { right: "manage-people", mutation: true },
  ({ runtime, person, address, params: { id = "" } }) =>
    revokeAnyToken(runtime, { person, address, id }),
);
