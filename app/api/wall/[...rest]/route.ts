import { nothingOnWalls } from "@/lib/server/route";

export {
  nothingOnWalls as GET,
  nothingOnWalls as HEAD,
  nothingOnWalls as POST,
  nothingOnWalls as PUT,
  nothingOnWalls as PATCH,
  nothingOnWalls as DELETE,
  nothingOnWalls as OPTIONS,
};
