import { route } from "@/lib/server/gate/route";
import { getToday } from "@/lib/server/operations/today/get-today";

export const GET = route({ right: null }, (asked) => getToday(asked.runtime, asked));
