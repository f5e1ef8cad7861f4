import { route } from "@/lib/server/gate/route";
import { getPromisesCsv } from "@/lib/server/operations/promises/promise-csv";

export const GET = route({ right: "view", tokens: "read" }, ({ runtime, company }) =>
  getPromisesCsv(runtime, { company }),
);
