import { route } from "@/lib/server/gate/route";
import {
  importConnections,
  MAX_IMPORT_BYTES,
} from "@/lib/server/operations/connections/import-connections";

export const POST = route(
  {
    right: "manage-connections",
    mutation: true,
    needsRecentSignIn: true,
    maxBodyBytes: MAX_IMPORT_BYTES,
  },
  ({ runtime, person, body }) => importConnections(runtime, { person, body }),
);
