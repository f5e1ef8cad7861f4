import { nothing } from "@/lib/server/route";

export {
  nothing as GET,
  nothing as HEAD,
  nothing as POST,
  nothing as PUT,
  nothing as PATCH,
  nothing as DELETE,
  nothing as OPTIONS,
};
