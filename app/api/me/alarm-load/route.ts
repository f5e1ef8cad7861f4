import { route } from "@/lib/server/gate/route";
import { getMyAlarmLoad } from "@/lib/server/operations/alarm-load/get-alarm-load";

export const GET = route({ right: null }, async ({ runtime, person }) => ({
  data: await getMyAlarmLoad(runtime, { person }),
}));
