import { handleAuthRequest } from "@/lib/server/gate/next-auth-handler";
import { route } from "@/lib/server/gate/route";

/** next-auth decides which methods an address supports. */
const answer = route({ principal: "anyone" }, ({ runtime, request, params: { nextauth = "" } }) =>
  handleAuthRequest(runtime, request, nextauth.split("/")),
);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
