import { route } from "@/lib/server/gate/route";
import {
  importPromises,
  MAX_PROMISE_IMPORT_BYTES,
} from "@/lib/server/operations/promises/import-promises";

export const POST = route(
  {
    right: "handle-incidents",
    mutation: true,
    maxBodyBytes: MAX_PROMISE_IMPORT_BYTES,
  },
  ({ runtime, company, person, body }) => importPromises(runtime, { company, person, body }),
);
