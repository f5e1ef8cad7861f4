import { route } from "@/lib/server/gate/route";
import { getToday } from "@/lib/server/operations/today/get-today";

export const GET = route({ right: null, tokens: "read" }, (asked) =>
  getToday(asked.runtime, asked),
);
